package io.weir.app;

import static io.weir.app.ValueType.file;
import static io.weir.app.ValueType.oneOf;

import io.weir.signing.SigningMode;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of who may publish, by signatures and by a file of gateways: a part of the catalogue
 * {@link Keys}.
 */
public final class SigningKeys {
  public static final Key<SigningMode> SIGNING =
      Key.of(
          "signing",
          oneOf(SigningMode.class),
          "off",
          "whether gateways' signatures are checked: off, verify (wrong ones are refused, batches"
              + " without are counted), or require (batches without are refused too)");
  public static final Key<Path> KEYS_FILE =
      Key.unset(
          "signing.keys.file",
          file(),
          "file of the masters that gateways' keys are derived from, which weir key new makes; run"
              + " checks with them, redrive signs");
  public static final Key<Path> KEY_FILE =
      Key.unset(
          "signing.key.file",
          file(),
          "edge: file of this gateway's own key, which weir key gateway makes; with it batches are"
              + " signed");

  public static final Key<Path> GATEWAYS_FILE =
      Key.unset(
          "gateways.file",
          file(),
          "a file, in YAML, of which gateway may publish which sensors, and which is revoked; read"
              + " again when it changes");

  static final List<Key<?>> ALL = List.of(SIGNING, KEYS_FILE, KEY_FILE, GATEWAYS_FILE);

  private SigningKeys() {}
}

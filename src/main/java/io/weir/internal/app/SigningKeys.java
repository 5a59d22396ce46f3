package io.weir.internal.app;

import static io.weir.internal.app.ValueType.file;
import static io.weir.internal.app.ValueType.oneOf;

import io.weir.signing.SigningMode;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of who may publish, by signatures and by a file of gateways: a part of the catalogue
 * {@link Keys}.
 */
public final class SigningKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<SigningMode> SIGNING =
      KEYS.of(
          "signing",
          oneOf(SigningMode.class),
          "off",
          "whether run, events and handlers check signatures of gateways: off, verify (wrong signatures are"
              + " refused, unsigned batches are counted) or require (unsigned batches are refused"
              + " too)");
  public static final Key<Path> KEYS_FILE =
      KEYS.unset(
          "signing.keys.file",
          file(),
          "file of the master keys, from weir key new: signatures are checked with them, and"
              + " alarms, due events and redriven records are signed with them");
  public static final Key<Path> KEY_FILE =
      KEYS.unset(
          "signing.key.file",
          file(),
          "edge and collect: key file of this gateway, from weir key gateway; if set, batches are signed");

  public static final Key<Path> GATEWAYS_FILE =
      KEYS.unset(
          "gateways.file",
          file(),
          "YAML file of the sensors and keys of events that each gateway may publish, and of"
              + " revoked gateways;"
              + " reloaded when it changes");

  static final List<Key<?>> ALL = KEYS.all();

  private SigningKeys() {}
}

package io.weir.app;

import io.weir.permission.PermissionFile;
import io.weir.permission.PermissionWatch;
import io.weir.permission.Permissions;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import io.weir.yaml.YamlException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is asked of signatures, and where keys are. Files are read when they are asked for, each
 * time; what is wrong with one is a {@link ConfigException} of one line without secrets.
 *
 * @param keysFile the masters'
 * @param keyFile a gateway's own
 * @param gatewaysFile says which gateway may publish which sensors
 */
public record SigningSettings(
    SigningMode mode,
    Optional<Path> keysFile,
    Optional<Path> keyFile,
    Optional<Path> gatewaysFile) {
  /** One file's content. */
  @FunctionalInterface
  private interface Content<T> {
    T read(Path file) throws IOException;
  }

  static SigningSettings of(Settings settings) {
    SigningSettings signing =
        new SigningSettings(
            settings.get(SigningKeys.SIGNING),
            settings.find(SigningKeys.KEYS_FILE),
            settings.find(SigningKeys.KEY_FILE),
            settings.find(SigningKeys.GATEWAYS_FILE));
    if (signing.mode() != SigningMode.OFF) {
      if (signing.keysFile().isEmpty()) {
        throw settings.refusal(
            SigningKeys.SIGNING, "weir.signing.keys.file is to be set: the masters to check with");
      }
      if (settings.find(RegistryKeys.SERDE_CLASS).isPresent()) {
        throw settings.refusal(
            SigningKeys.SIGNING,
            "not together with weir.serde.class: the gateway is not known before decoding");
      }
    }
    return signing;
  }

  /** What the application asks of batches. */
  public SigningPolicy policy() {
    return mode == SigningMode.OFF
        ? SigningPolicy.OFF
        : new SigningPolicy(mode, masters().orElseThrow());
  }

  /** The masters, where their file is set. */
  public Optional<MasterKeys> masters() {
    return keysFile.map(file -> read(SigningKeys.KEYS_FILE, file, MasterKeys::read));
  }

  /** Which gateway may publish which sensors, where a file says so. */
  public Optional<Permissions> permissions() {
    return gatewaysFile.map(
        file -> asSetting(() -> PermissionFile.read(file, mode != SigningMode.OFF)));
  }

  /**
   * The same, and watched from now on; to be closed.
   *
   * @param listener receives each version of the file, the first one too
   */
  Optional<PermissionWatch> watchPermissions(PermissionWatch.Listener listener) {
    return gatewaysFile.map(
        file -> asSetting(() -> PermissionWatch.open(file, mode != SigningMode.OFF, listener)));
  }

  private static <T> T asSetting(Supplier<T> read) {
    try {
      return read.get();
    } catch (YamlException e) {
      throw new ConfigException(SigningKeys.GATEWAYS_FILE.propertyName() + "=" + e.getMessage());
    }
  }

  /**
   * The master to sign with, or to derive keys from, where the file of masters is set.
   *
   * @param nowMs about the append time
   */
  public Optional<MasterKey> currentMaster(long nowMs) {
    return masters()
        .map(
            masters ->
                masters
                    .current(nowMs)
                    .orElseThrow(
                        () ->
                            new ConfigException(
                                SigningKeys.KEYS_FILE.propertyName()
                                    + ": no master in it holds now; expected: one whose from has"
                                    + " come and whose until has not")));
  }

  /**
   * The key of a gateway, where its file is set.
   *
   * @param gatewayId whose it has to be
   */
  public Optional<GatewayKey> gatewayKey(String gatewayId) {
    return keyFile.map(
        file -> {
          GatewayKey key = read(SigningKeys.KEY_FILE, file, GatewayKey::read);
          if (key.gatewayId().filter(gatewayId::equals).isEmpty()) {
            throw new ConfigException(
                "%s = %s: it is the key of gateway %s, and this one is %s (weir.gateway.id)"
                    .formatted(
                        SigningKeys.KEY_FILE.propertyName(),
                        file,
                        key.gatewayId().orElse(""),
                        gatewayId));
          }
          return key;
        });
  }

  private static <T> T read(Key<Path> key, Path file, Content<T> content) {
    try {
      return content.read(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(key.propertyName() + " = " + file + ": no such file");
    } catch (IOException e) {
      throw new ConfigException(key.propertyName() + " = " + file + ": it cannot be read: " + e);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key.propertyName() + ": " + e.getMessage());
    }
  }
}

package io.weir.internal.app;

import io.weir.internal.permission.PermissionFile;
import io.weir.internal.permission.PermissionWatch;
import io.weir.internal.permission.Permissions;
import io.weir.internal.topology.SenderRules;
import io.weir.internal.yaml.YamlException;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The settings of signatures and key files. Each call reads its file; an invalid file is a {@link
 * ConfigException} of one line without secrets.
 *
 * @param keysFile file of the master keys
 * @param keyFile key file of a gateway
 * @param gatewaysFile file of the sensors that each gateway may publish
 */
public record SigningSettings(
    SigningMode mode,
    Optional<Path> keysFile,
    Optional<Path> keyFile,
    Optional<Path> gatewaysFile) {
  /** The content of a file. */
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
            SigningKeys.SIGNING, "expected: weir.signing.keys.file with the master keys");
      }
      if (settings.find(RegistryKeys.SERDE_CLASS).isPresent()) {
        throw settings.refusal(
            SigningKeys.SIGNING,
            "expected: off with weir.serde.class: the gateway is unknown before decoding");
      }
    }
    return signing;
  }

  /** The signature check of an application, and the keys with which it signs. */
  public SigningPolicy policy() {
    return new SigningPolicy(mode, masters().orElseGet(SigningPolicy.OFF::masters));
  }

  /** The master keys, if their file is set. */
  public Optional<MasterKeys> masters() {
    return keysFile.map(file -> read(SigningKeys.KEYS_FILE, file, MasterKeys::read));
  }

  /** The permissions of gateways, if their file is set. */
  public Optional<Permissions> permissions() {
    return gatewaysFile.map(
        file -> asSetting(() -> PermissionFile.read(file, mode != SigningMode.OFF)));
  }

  /**
   * The same, reloaded after changes of the file; the caller closes it.
   *
   * @param listener receives each version of the file, including the first
   */
  public Optional<PermissionWatch> watchPermissions(PermissionWatch.Listener listener) {
    return gatewaysFile.map(
        file -> asSetting(() -> PermissionWatch.open(file, mode != SigningMode.OFF, listener)));
  }

  /**
   * Who may send to the topics of events, for as long as the watch is open; the caller closes it.
   *
   * @param watch from {@link #watchPermissions}
   */
  public SenderRules senders(Optional<PermissionWatch> watch) {
    return new SenderRules(policy(), watch.map(file -> file));
  }

  private static <T> T asSetting(Supplier<T> read) {
    try {
      return read.get();
    } catch (YamlException e) {
      throw new ConfigException(SigningKeys.GATEWAYS_FILE.propertyName() + "=" + e.getMessage());
    }
  }

  /**
   * The master key for signing and for derived keys, if the file is set.
   *
   * @param nowMs the approximate append time
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
                                    + ": no master key is currently valid (check from and"
                                    + " until)")));
  }

  /**
   * The key of a gateway, if its file is set.
   *
   * @param gatewayId the gateway that the key must belong to
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
      throw new ConfigException(key.propertyName() + " = " + file + ": cannot be read: " + e);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key.propertyName() + ": " + e.getMessage());
    }
  }
}

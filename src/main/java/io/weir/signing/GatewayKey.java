package io.weir.signing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The key of one gateway, with which it signs. Immutable; does not expose its bytes.
 *
 * <p>Its file, as {@code weir key gateway ID} prints it:
 *
 * <pre>
 * key.id=2026.1
 * gateway.id=line-7
 * key=&lt;32 bytes in base64&gt;
 * </pre>
 */
public final class GatewayKey {
  private final KeyId id;
  private final Optional<String> gatewayId;
  private final byte[] key;

  private GatewayKey(KeyId id, Optional<String> gatewayId, byte[] key) {
    this.id = id;
    this.gatewayId = gatewayId;
    this.key = key.clone();
  }

  static GatewayKey derived(KeyId id, String gatewayId, byte[] key) {
    return new GatewayKey(id, Optional.of(gatewayId), key);
  }

  /**
   * Creates a key that is not read from a file.
   *
   * @param keyId {@code <master id>.<generation>}
   * @param key 32 bytes
   * @throws IllegalArgumentException if either is invalid; the message omits the key
   */
  public static GatewayKey of(String keyId, byte[] key) {
    return new GatewayKey(idOf(keyId), Optional.empty(), requireBytes(key));
  }

  /**
   * Reads a gateway's key file.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is invalid; the message names file, line and field, and
   *     no secret
   */
  public static GatewayKey read(Path file) throws IOException {
    KeyFile content = KeyFile.read(file, Set.of("key.id", "gateway.id", "key")::contains);
    String gatewayId = content.require("gateway.id");
    KeyId id = content.parsed("key.id", GatewayKey::idOf);
    byte[] key = content.parsed("key", text -> requireBytes(KeyFile.base64(text)));
    return new GatewayKey(id, Optional.of(gatewayId), key);
  }

  private static KeyId idOf(String text) {
    KeyId id = KeyId.parse(text);
    if (id == null || id.isRedrive()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a key id; expected: <master id>.<generation>, such as 2026.1");
    }
    return id;
  }

  private static byte[] requireBytes(byte[] key) {
    if (key.length != Hmac.BYTES) {
      throw new IllegalArgumentException(
          "a key of " + key.length + " bytes; expected: " + Hmac.BYTES);
    }
    return key;
  }

  /** Its id in signatures. */
  public String id() {
    return id.toString();
  }

  /** The gateway that it belongs to; empty if its file does not name one. */
  public Optional<String> gatewayId() {
    return gatewayId;
  }

  byte[] bytes() {
    return key.clone();
  }

  /** The lines of its file, with the secret. */
  public List<String> fileLines() {
    return List.of(
        "key.id=" + id,
        "gateway.id=" + gatewayId.orElse(""),
        "key=" + Base64.getEncoder().encodeToString(key));
  }

  /** The key id and the gateway, without the key's bytes. */
  @Override
  public String toString() {
    return "GatewayKey[" + id + gatewayId.map(gateway -> " of " + gateway).orElse("") + "]";
  }
}

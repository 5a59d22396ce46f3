package io.weir.signing;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * A master key, from which the keys of all gateways are derived. Its holder can sign as any
 * gateway. Immutable; does not expose its bytes.
 */
public final class MasterKey {
  /** A shorter secret can be guessed. */
  static final int LEAST_BYTES = 32;

  /** The last generation of a gateway's key; they begin with 1. */
  public static final int MOST_GENERATION = 999_999_999;

  private final String id;
  private final byte[] secret;
  private final long fromMs;
  private final long untilMs;

  /**
   * @param id 1 to 64 of the characters a-z A-Z 0-9 _ -
   * @param secret 32 bytes or more
   * @param fromMs append time in milliseconds from which its signatures are accepted
   * @param untilMs append time until which they are accepted, exclusive
   * @throws IllegalArgumentException if an argument is invalid; the message omits the secret
   */
  public MasterKey(String id, byte[] secret, long fromMs, long untilMs) {
    if (!KeyId.isMaster(id)) {
      throw new IllegalArgumentException(
          "'" + id + "' is not a master id; expected: " + KeyId.MASTER_ALLOWED);
    }
    if (secret.length < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a secret of " + secret.length + " bytes; expected: " + LEAST_BYTES + " or more");
    }
    if (fromMs >= untilMs) {
      throw new IllegalArgumentException("until is not later than from");
    }
    this.id = id;
    this.secret = secret.clone();
    this.fromMs = fromMs;
    this.untilMs = untilMs;
  }

  /** A new secret in base64, from the system's source of randomness. */
  public static String newSecret() {
    byte[] secret = new byte[LEAST_BYTES];
    new SecureRandom().nextBytes(secret);
    return Base64.getEncoder().encodeToString(secret);
  }

  /**
   * The key of a gateway.
   *
   * @param generation from 1 to 999,999,999; the next one replaces a key that was stolen
   */
  public GatewayKey gatewayKey(String gatewayId, int generation) {
    byte[] key = gatewayKey(gatewayId.getBytes(StandardCharsets.UTF_8), generation);
    return GatewayKey.derived(new KeyId(id, generation), gatewayId, key);
  }

  byte[] gatewayKey(byte[] gatewayId, int generation) {
    return Hmac.of(secret, SignedBytes.gatewayKey(gatewayId, generation));
  }

  byte[] redriveKey() {
    return Hmac.of(secret, SignedBytes.redriveKey());
  }

  /** Whether a text is a valid master id. */
  public static boolean isId(String text) {
    return KeyId.isMaster(text);
  }

  public String id() {
    return id;
  }

  /** Whether its signatures are accepted at an append time. */
  public boolean holdsAt(long appendMs) {
    return appendMs >= fromMs && appendMs < untilMs;
  }

  /** The id, without the secret. */
  @Override
  public String toString() {
    return "MasterKey[" + id + "]";
  }
}

package io.weir.signing;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 (RFC 2104). */
final class Hmac {
  /** Bytes of a code. */
  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private Hmac() {}

  /** A reusable Mac with a key; not thread-safe. */
  static Mac of(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** The code of a message. */
  static byte[] of(byte[] key, byte[] message) {
    return of(key).doFinal(message);
  }
}

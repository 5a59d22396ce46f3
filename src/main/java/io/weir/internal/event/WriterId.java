package io.weir.internal.event;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Identifies a gateway by the first eight bytes of its id's SHA-256, for limits per gateway: it is
 * hard to find an id that counts as another's. Caches the last one. Not thread-safe.
 */
final class WriterId {
  private static final byte[] NO_ID = {};

  private final MessageDigest digest = digest();
  private byte[] last = NO_ID;
  private long lastId = EventColumns.NOBODY;

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  long of(byte[] record, int offset, int length) {
    if (length == 0) {
      return EventColumns.NOBODY;
    }
    if (!Arrays.equals(record, offset, offset + length, last, 0, last.length)) {
      last = Arrays.copyOfRange(record, offset, offset + length);
      lastId = ByteBuffer.wrap(digest.digest(last)).getLong();
    }
    return lastId;
  }
}

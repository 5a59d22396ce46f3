package io.weir.lab.check;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first record with a sequence: where it is, and a digest of its value instead of the value.
 */
record Copy(long offset, long digestHigh, long digestLow) {
  static Copy of(long offset, byte[] value) {
    try {
      ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(value));
      return new Copy(offset, digest.getLong(), digest.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java has it.
    }
  }

  boolean hasBytesOf(Copy other) {
    return digestHigh == other.digestHigh && digestLow == other.digestLow;
  }
}

package io.weir.edge;

import io.weir.reading.Fnv1a;
import java.nio.charset.StandardCharsets;

/**
 * The two things that an offer wants to know of a sensor id, in one walk over it: the FNV-1a hash
 * of its UTF-8 bytes and their number, packed into a long. An ASCII id allocates nothing.
 */
final class IdDigest {
  private static final int PRIME = 0x01000193;
  private static final int FIRST_NOT_ASCII = 0x80;

  private IdDigest() {}

  static long of(String id) {
    int hash = Fnv1a.OFFSET_BASIS;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c >= FIRST_NOT_ASCII) {
        byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
        return pack(Fnv1a.hash(utf8, 0, utf8.length), utf8.length);
      }
      hash = (hash ^ c) * PRIME;
    }
    return pack(hash, id.length());
  }

  static int hash(long digest) {
    return (int) digest;
  }

  static int bytes(long digest) {
    return (int) (digest >>> Integer.SIZE);
  }

  private static long pack(int hash, int bytes) {
    return (long) bytes << Integer.SIZE | Integer.toUnsignedLong(hash);
  }
}

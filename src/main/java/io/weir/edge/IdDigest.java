package io.weir.edge;

import io.weir.reading.Fnv1a;
import java.nio.charset.StandardCharsets;

/**
 * Computes the FNV-1a hash of a sensor id's UTF-8 bytes and their number in one pass, packed into a
 * long. An ASCII id allocates nothing.
 */
final class IdDigest {
  private static final int FIRST_NOT_ASCII = 0x80;

  /** Replaces the number of bytes if the id has an unpaired surrogate. */
  static final int NOT_TEXT = -1;

  private IdDigest() {}

  static long of(String id) {
    int hash = Fnv1a.OFFSET_BASIS;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c >= FIRST_NOT_ASCII) {
        if (hasLoneSurrogate(id, i)) {
          return pack(0, NOT_TEXT);
        }
        byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
        return pack(Fnv1a.hash(utf8, 0, utf8.length), utf8.length);
      }
      hash = Fnv1a.add(hash, c);
    }
    return pack(hash, id.length());
  }

  /** UTF-8 cannot encode an unpaired surrogate: it would become "?", equal for all such ids. */
  private static boolean hasLoneSurrogate(String id, int from) {
    for (int i = from; i < id.length(); i++) {
      char c = id.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < id.length()
                && Character.isLowSurrogate(id.charAt(i + 1));
        if (!pair) {
          return true;
        }
        i++;
      }
    }
    return false;
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

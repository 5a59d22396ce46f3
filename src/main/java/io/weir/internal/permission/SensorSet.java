package io.weir.internal.permission;

import io.weir.reading.IdPermit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A set of sensors by patterns. Ids and prefixes are looked up in sorted arrays; patterns with
 * wildcards elsewhere are tried in turn. Immutable.
 */
final class SensorSet implements IdPermit {
  private final byte[][] ids;

  /** No prefix begins with another one. */
  private final byte[][] prefixes;

  private final IdPattern[] others;

  /**
   * @param patterns patterns without the placeholder of the gateway
   */
  SensorSet(List<IdPattern> patterns) {
    ids = sorted(patterns.stream().filter(IdPattern::isExact).toList());
    prefixes = shortest(sorted(patterns.stream().filter(IdPattern::isPrefix).toList()));
    others =
        patterns.stream()
            .filter(pattern -> !pattern.isExact() && !pattern.isPrefix())
            .toArray(IdPattern[]::new);
  }

  private static byte[][] sorted(List<IdPattern> patterns) {
    return patterns.stream()
        .map(IdPattern::beginning)
        .sorted(Arrays::compareUnsigned)
        .toArray(byte[][]::new);
  }

  /**
   * Keeps the shortest prefixes: in the order of bytes, a prefix is before the ids that begin with
   * it.
   */
  private static byte[][] shortest(byte[][] sorted) {
    List<byte[]> kept = new ArrayList<>();
    for (byte[] each : sorted) {
      byte[] last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
      if (last == null || !begins(each, 0, each.length, last)) {
        kept.add(each);
      }
    }
    return kept.toArray(byte[][]::new);
  }

  @Override
  public boolean allows(byte[] bytes, int offset, int length) {
    int prefix = floor(prefixes, bytes, offset, length);
    if (prefix >= 0 && begins(bytes, offset, length, prefixes[prefix])) {
      return true;
    }
    int id = floor(ids, bytes, offset, length);
    if (id >= 0 && ids[id].length == length && begins(bytes, offset, length, ids[id])) {
      return true;
    }
    for (IdPattern other : others) {
      if (other.fits(bytes, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** The index of the last one that is not after an id, or -1. */
  private static int floor(byte[][] sorted, byte[] bytes, int offset, int length) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      byte[] each = sorted[middle];
      if (Arrays.compareUnsigned(each, 0, each.length, bytes, offset, offset + length) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  private static boolean begins(byte[] bytes, int offset, int length, byte[] prefix) {
    return length >= prefix.length
        && Arrays.equals(bytes, offset, offset + prefix.length, prefix, 0, prefix.length);
  }
}

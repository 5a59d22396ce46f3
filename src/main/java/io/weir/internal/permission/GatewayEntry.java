package io.weir.internal.permission;

import io.weir.reading.IdPermit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An entry of the file: the permissions of a gateway, or of all gateways with matching ids.
 * Immutable.
 *
 * @param gateway gateway id or pattern
 * @param sensors patterns of the sensors that it may publish
 * @param keys patterns of the keys of events that it may publish
 * @param lowestBoot lowest accepted boot id; 0 if not set
 * @param lowestGeneration lowest accepted generation of its keys; 0 if not set
 * @param revoked whether all its batches are refused
 */
record GatewayEntry(
    IdPattern gateway,
    List<IdPattern> sensors,
    List<IdPattern> keys,
    long lowestBoot,
    int lowestGeneration,
    boolean revoked) {
  /** Refuses nothing. */
  static final GatewayEntry ANY =
      new GatewayEntry(IdPattern.of("*"), List.of(), List.of(), 0, 0, false);

  GatewayEntry {
    sensors = List.copyOf(sensors);
    keys = List.copyOf(keys);
  }

  /** The permissions of a gateway by this entry. */
  Permit permit(String gatewayId) {
    byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
    return new Permit(this, set(sensors, id), set(keys, id));
  }

  private static SensorSet set(List<IdPattern> patterns, byte[] gatewayId) {
    return new SensorSet(patterns.stream().map(pattern -> pattern.with(gatewayId)).toList());
  }

  /** The entry in one line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(gateway.toString()).append(": ");
    if (revoked) {
      return text.append("revoked").toString();
    }
    text.append(sensors.size()).append(sensors.size() == 1 ? " pattern" : " patterns");
    if (!keys.isEmpty()) {
      text.append(", ").append(keys.size()).append(" of keys");
    }
    if (lowestBoot > 0) {
      text.append(", boots from ").append(lowestBoot);
    }
    if (lowestGeneration > 0) {
      text.append(", keys from generation ").append(lowestGeneration);
    }
    return text.toString();
  }

  /**
   * A set of sensors by patterns. Ids and prefixes are looked up in sorted arrays; patterns with
   * wildcards elsewhere are tried in turn. Immutable.
   */
  static final class SensorSet implements IdPermit {
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
     * Keeps the shortest prefixes: in the order of bytes, a prefix is before the ids that begin
     * with it.
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
}

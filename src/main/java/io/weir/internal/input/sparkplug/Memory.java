package io.weir.internal.input.sparkplug;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the bytes of what is kept for edge nodes, by estimate. The second half is reserved for
 * edge nodes that use at most one of {@value #SHARES} parts, and a group may use three times what
 * it leaves, so that neither one edge node nor one group takes all. Not thread-safe.
 */
final class Memory {
  private static final int SHARES = 8;
  private static final int TIMES_WHAT_IS_FREE = 3;

  private final long most;
  private final Map<String, Long> groups = new HashMap<>();
  private long taken;

  Memory(long most) {
    this.most = most;
  }

  /** What one edge node uses. */
  final class Share {
    private final String group;
    private long used;

    private Share(String group) {
      this.group = group;
    }

    /** Takes bytes; false if there are not so many, or not for this edge node. */
    boolean take(long bytes) {
      long ofAll = taken + bytes;
      long ofGroup = groups.getOrDefault(group, 0L) + bytes;
      boolean fits =
          ofGroup <= TIMES_WHAT_IS_FREE * (most - ofAll)
              && (ofAll <= most / 2 || used + bytes <= most / SHARES);
      if (fits) {
        add(bytes);
      }
      return fits;
    }

    void free(long bytes) {
      add(-bytes);
    }

    private void add(long bytes) {
      taken += bytes;
      used += bytes;
      if (groups.merge(group, bytes, Long::sum) == 0) {
        groups.remove(group);
      }
    }
  }

  /** For an edge node of a group. */
  Share share(String group) {
    return new Share(group);
  }

  /** Takes bytes of no edge node; false if there are not so many. */
  boolean take(long bytes) {
    if (taken + bytes > most) {
      return false;
    }
    taken += bytes;
    return true;
  }

  void free(long bytes) {
    taken -= bytes;
  }

  long taken() {
    return taken;
  }
}

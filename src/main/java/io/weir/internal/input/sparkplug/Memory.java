package io.weir.internal.input.sparkplug;

import java.util.function.BooleanSupplier;

/**
 * Counts the bytes of what is kept for edge nodes, by estimate. The second half is for edge nodes
 * that use at most one of {@value #SHARES} parts, so that none takes all. Not thread-safe.
 */
final class Memory {
  private static final int SHARES = 8;

  private final long most;
  private long taken;

  /** Of edge nodes that keep their place. */
  private long known;

  private BooleanSupplier makesRoom = () -> false;

  Memory(long most) {
    this.most = most;
  }

  /**
   * Says what to do if an edge node with its share finds no room.
   *
   * @param makes forgets another one; false if it may forget none
   */
  void whenFull(BooleanSupplier makes) {
    makesRoom = makes;
  }

  /** What one edge node uses. */
  final class Share {
    private long used;
    private boolean isKnown;

    /** Takes bytes; false if there are not so many, or not for this edge node. */
    boolean take(long bytes) {
      boolean small = used + bytes <= most / SHARES;
      while (taken + bytes > (small ? most : most / 2)) {
        if (!small || !makesRoom.getAsBoolean()) {
          return false;
        }
      }
      add(bytes);
      return true;
    }

    void free(long bytes) {
      add(-bytes);
    }

    private void add(long bytes) {
      taken += bytes;
      used += bytes;
      known += isKnown ? bytes : 0;
    }

    /** Whether all that are known, with this one, use at most half of it. */
    boolean isLittle() {
      return known + (isKnown ? 0 : used) <= most / 2;
    }

    void setKnown(boolean now) {
      known += now == isKnown ? 0 : now ? used : -used;
      isKnown = now;
    }
  }

  /** For an edge node. */
  Share share() {
    return new Share();
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

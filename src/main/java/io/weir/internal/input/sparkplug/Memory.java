package io.weir.internal.input.sparkplug;

/** Counts the bytes of what is kept for edge nodes, by estimate. Not thread-safe. */
final class Memory {
  private final long most;
  private long taken;

  Memory(long most) {
    this.most = most;
  }

  /** Takes bytes; false if there are not so many. */
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

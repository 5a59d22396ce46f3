package io.weir.internal.explain;

/**
 * The memory of one explanation. Whoever may write to the topics decides how much there is to keep,
 * so what is kept is counted. One thread.
 */
final class Room {
  private static final int OBJECT_BYTES = 256;
  private static final int READING_BYTES = 128;

  private long leftBytes;

  Room(long bytes) {
    this.leftBytes = bytes;
  }

  /** Takes room for an object that keeps readings and texts. */
  void take(int readings, long textBytes) {
    leftBytes -= OBJECT_BYTES + (long) READING_BYTES * readings + textBytes;
  }

  /** Whether more was kept than there is room for. */
  boolean isFull() {
    return leftBytes < 0;
  }
}

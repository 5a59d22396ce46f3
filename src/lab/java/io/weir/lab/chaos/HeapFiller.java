package io.weir.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes all memory that there is, so that all other code of the process runs out of it, then frees
 * it.
 */
final class HeapFiller {
  private static final int LARGE = 1 << 20;
  private static final int SMALL = 1 << 12;
  private static final long AGAIN_NANOS = 50_000_000;

  private HeapFiller() {}

  /** Holds the memory for that long, in a thread of its own. */
  static void hold(long millis) {
    Thread thread = new Thread(() -> take(millis), "ballast");
    thread.setDaemon(true);
    thread.start();
  }

  private static void take(long millis) {
    List<byte[]> taken = new ArrayList<>(1 << 14);
    long endNanos = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() - endNanos < 0) {
      fill(taken, LARGE);
      fill(taken, SMALL);
      LockSupport.parkNanos(AGAIN_NANOS);
    }
  }

  private static void fill(List<byte[]> taken, int bytes) {
    try {
      while (true) {
        taken.add(new byte[bytes]);
      }
    } catch (OutOfMemoryError e) {
      // That is what it is for.
    }
  }
}

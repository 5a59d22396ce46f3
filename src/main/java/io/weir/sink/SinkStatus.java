package io.weir.sink;

import io.weir.time.MonotonicClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a sink is: what it waits for, and how far behind it is. One thread sets it, any may ask. What
 * is waited for is logged when it begins, once a minute, and when it is over.
 */
final class SinkStatus {
  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);
  private static final long QUIET_MS = TimeUnit.MINUTES.toMillis(1);

  private volatile String waitsFor = "its partitions";
  private volatile boolean connected;
  private volatile int partitions;
  private volatile long lagRecords;
  private volatile long oldestUnwrittenMs = Long.MAX_VALUE;
  private boolean troubled;
  private long toldMs;

  /** Something is missing that comes by itself. */
  void waiting(String what) {
    waitsFor = what;
    long nowMs = MonotonicClock.millis();
    if (!troubled || nowMs - toldMs >= QUIET_MS) {
      LOG.warn("waiting: {}", what);
      toldMs = nowMs;
    }
    troubled = true;
  }

  /** Nothing is missing. */
  void working() {
    waitsFor = "";
    if (troubled) {
      LOG.info("going on");
    }
    troubled = false;
  }

  void connected(boolean now) {
    connected = now;
  }

  /**
   * @param oldestUnwritten append time of the oldest record that was read and is not written; the
   *     largest long for none
   */
  void behind(int partitionsOwned, long lag, long oldestUnwritten) {
    partitions = partitionsOwned;
    lagRecords = lag;
    oldestUnwrittenMs = oldestUnwritten;
  }

  /** Empty where nothing is missing. */
  String waitsFor() {
    return waitsFor;
  }

  boolean isConnected() {
    return connected;
  }

  int partitions() {
    return partitions;
  }

  long lagRecords() {
    return lagRecords;
  }

  /** How old the oldest record is that was read and not written; 0 for none. */
  long delayMs(long nowMs) {
    return Math.max(0, nowMs - oldestUnwrittenMs);
  }
}

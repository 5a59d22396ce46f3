package io.weir.internal.sink;

import io.weir.internal.app.WaitLog;
import io.weir.internal.time.MonotonicClock;
import org.slf4j.LoggerFactory;

/**
 * The status of a sink: the reason for a wait, and its delay. One thread sets it, any thread may
 * read it.
 */
final class SinkStatus {
  private final WaitLog waits = new WaitLog(LoggerFactory.getLogger(Sink.class), "its partitions");
  private volatile boolean connected;
  private volatile int partitions;
  private volatile long lagRecords;
  private volatile long waitingRecords;
  private volatile long progressMs = MonotonicClock.millis();
  private volatile long successMs = MonotonicClock.millis();
  private volatile long oldestUnwrittenMs = Long.MAX_VALUE;

  /**
   * @param monotonicMs time of the last write, or without lag
   */
  void progress(long monotonicMs) {
    progressMs = monotonicMs;
  }

  /** Time since the last write while records wait; 0 if none wait. */
  long stalledMs() {
    return Math.max(0, MonotonicClock.millis() - progressMs);
  }

  /**
   * @param monotonicMs when a batch was written last, or the brokers answered while nothing waited
   */
  void success(long monotonicMs) {
    successMs = monotonicMs;
  }

  /** How long ago that was. */
  long successAgeMs() {
    return Math.max(0, MonotonicClock.millis() - successMs);
  }

  void connected(boolean now) {
    connected = now;
  }

  /**
   * @param oldestUnwritten append time of the oldest unwritten record; {@link Long#MAX_VALUE} for
   *     none
   */
  void behind(int partitionsOwned, long lag, long oldestUnwritten) {
    partitions = partitionsOwned;
    lagRecords = lag;
    oldestUnwrittenMs = oldestUnwritten;
  }

  /**
   * @param records in weir_sink_waiting
   */
  void waiting(long records) {
    waitingRecords = records;
  }

  long waitingRecords() {
    return waitingRecords;
  }

  /** The reason for a wait. */
  WaitLog waits() {
    return waits;
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

  /** Age of the oldest record that was read and not written; 0 for none. */
  long delayMs(long nowMs) {
    return Math.max(0, nowMs - oldestUnwrittenMs);
  }
}

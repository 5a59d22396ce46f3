package io.weir.internal.topology;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects append times of a partition that go back: its leaders' clocks differ. Counted always,
 * logged where it is a second or more, once a minute. Called by the task's thread.
 */
final class LeaderClocks {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderClocks.class);
  private static final long LOGGED_FROM_MS = 1000;
  private static final long LOG_EVERY_MS = 60_000;

  private final String topic;
  private final int partition;
  private final Runnable count;
  private boolean logged;
  private long loggedMs;

  /**
   * @param count is run each time
   */
  LeaderClocks(String topic, int partition, Runnable count) {
    this.topic = topic;
    this.partition = partition;
    this.count = count;
  }

  /**
   * @param behindMs how far a record's append time is behind that of the record before
   * @param nowMs of any monotonic clock
   */
  void wentBack(long behindMs, long offset, long nowMs) {
    count.run();
    if (behindMs >= LOGGED_FROM_MS && (!logged || nowMs - loggedMs >= LOG_EVERY_MS)) {
      logged = true;
      loggedMs = nowMs;
      LOG.warn(
          "{} partition {} offset {}: the append time went back by {} ms: the clock of the broker"
              + " that leads it is behind, or that of the one before was ahead; synchronise the"
              + " brokers' clocks",
          topic,
          partition,
          offset,
          behindMs);
    }
  }
}

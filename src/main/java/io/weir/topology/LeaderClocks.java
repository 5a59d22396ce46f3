package io.weir.topology;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when append times of a partition go back: its leaders' clocks differ. Counted always, said
 * aloud where it is a second or more, once a minute. Called by the task's thread.
 */
final class LeaderClocks {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderClocks.class);
  private static final long WORTH_SAYING_MS = 1000;
  private static final long SAY_EVERY_MS = 60_000;

  private final String topic;
  private final int partition;
  private final Measures measures;
  private boolean said;
  private long saidMs;

  LeaderClocks(String topic, int partition, Measures measures) {
    this.topic = topic;
    this.partition = partition;
    this.measures = measures;
  }

  /**
   * @param behindMs how far a record's append time is behind that of the record before; 0 if not
   * @param nowMs of any monotonic clock
   */
  void observed(long behindMs, long offset, long nowMs) {
    if (behindMs <= 0) {
      return;
    }
    measures.appendTimeWentBack();
    if (behindMs >= WORTH_SAYING_MS && (!said || nowMs - saidMs >= SAY_EVERY_MS)) {
      said = true;
      saidMs = nowMs;
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

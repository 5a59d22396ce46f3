package io.weir.topic;

import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The limits of records by a topic's settings: brokers reject other records, which aborts their
 * transaction.
 *
 * @param maxBytes largest record batch
 * @param needsKey whether records need a key, as on a compacted topic
 * @param maxAgeMs maximum age of a record's timestamp by the broker's clock
 */
public record RecordLimits(int maxBytes, boolean needsKey, long maxAgeMs) {
  static RecordLimits of(Map<String, String> config) {
    boolean isStampedByBrokers =
        "LogAppendTime".equals(config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG));
    return new RecordLimits(
        Integer.parseInt(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)),
        config
            .getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
            .contains(TopicConfig.CLEANUP_POLICY_COMPACT),
        isStampedByBrokers
            ? Long.MAX_VALUE
            : Long.parseLong(
                config.getOrDefault(
                    TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, "" + Long.MAX_VALUE)));
  }

  /** The timestamp, or the wall clock's time if the timestamp is too old. */
  public long stamp(long timestampMs, long wallMs) {
    return timestampMs < wallMs - maxAgeMs / 2 ? wallMs : timestampMs;
  }
}

package io.weir.topic;

import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Which records a topic takes, as far as its settings say: others are refused by its brokers, and
 * the transaction that they are in is aborted.
 *
 * @param maxBytes largest record batch
 * @param needsKey whether a record without a key is refused, as where the topic is compacted
 * @param maxAgeMs how far the timestamp of a record may be behind the broker's clock
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

  /** A timestamp that is not refused for its age: the one given, or the time of day. */
  public long stamp(long timestampMs, long wallMs) {
    return timestampMs < wallMs - maxAgeMs / 2 ? wallMs : timestampMs;
  }
}

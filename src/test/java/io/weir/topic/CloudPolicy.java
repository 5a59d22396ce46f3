package io.weir.topic;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/**
 * The rules of managed clouds for new topics, as they publish them (November 2026). The cloud is
 * the first part of the topic's name: confluent.readings. Brokers load it by its name.
 */
public final class CloudPolicy implements CreateTopicPolicy {
  private static final Set<String> OF_ALL =
      Set.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.RETENTION_MS_CONFIG,
          TopicConfig.RETENTION_BYTES_CONFIG,
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);

  /** Whose rules. */
  enum Cloud {
    /** docs.confluent.io/cloud/current/topics/manage.html: bounds for each setting. */
    CONFLUENT {
      @Override
      void check(Map<String, String> config) {
        between(config, TopicConfig.SEGMENT_BYTES_CONFIG, 52_428_800, 1_073_741_824);
        between(config, TopicConfig.SEGMENT_MS_CONFIG, 600_000, Long.MAX_VALUE);
        between(config, TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, 21_600_000, Long.MAX_VALUE);
        between(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, 1, 2);
        between(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, 0, 8_388_608);
      }
    },
    /** docs.aws.amazon.com/msk, serverless-config: no setting but these. */
    MSK {
      @Override
      void check(Map<String, String> config) {
        onlyOf(config, OF_ALL, "%s is not configurable");
        between(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, 0, 8_388_608);
      }
    },
    /** Event Hubs documents the same settings; its refusal does not name the setting. */
    EVENTHUBS {
      @Override
      void check(Map<String, String> config) {
        onlyOf(config, OF_ALL, "the configuration is not supported");
      }
    },
    /** docs.redpanda.com, topic properties: segment_size_min, log_segment_ms_min. */
    REDPANDA {
      @Override
      void check(Map<String, String> config) {
        between(config, TopicConfig.SEGMENT_BYTES_CONFIG, 1_048_576, Long.MAX_VALUE);
        between(config, TopicConfig.SEGMENT_MS_CONFIG, 600_000, 31_536_000_000L);
      }
    };

    abstract void check(Map<String, String> config);

    private static void between(Map<String, String> config, String name, long min, long max) {
      String value = config.get(name);
      if (value != null && (Long.parseLong(value) < min || Long.parseLong(value) > max)) {
        throw new PolicyViolationException(
            "Config property '" + name + "' with value '" + value + "' exceeded its bounds");
      }
    }

    private static void onlyOf(Map<String, String> config, Set<String> allowed, String message) {
      for (String name : new TreeMap<>(config).keySet()) {
        if (!allowed.contains(name)) {
          throw new PolicyViolationException(message.formatted(name));
        }
      }
    }
  }

  @Override
  public void validate(RequestMetadata request) {
    String[] parts = request.topic().split("\\.");
    for (Cloud cloud : Cloud.values()) {
      if (cloud.name().equalsIgnoreCase(parts[0])) {
        cloud.check(request.configs());
      }
    }
  }

  @Override
  public void configure(Map<String, ?> configs) {}

  @Override
  public void close() {}
}

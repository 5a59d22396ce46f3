package io.weir.edge;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The settings of the Kafka producer, in layers: defaults, the gateway's settings, and the settings
 * that Weir fixes.
 *
 * <p>Weir sets {@code max.in.flight.requests.per.connection} to 1, for two reasons. A partition
 * whose leader is not up yet may reject the first batch and then accept the second one, already in
 * flight, as the producer's first; the first batch is then out of order for ever. And with one
 * request in flight, Kafka sends a partition's next batch only after the response to the previous
 * one, so that no batch overtakes a failed one. The cost is small: a request has a batch for every
 * partition of its broker.
 */
final class ProducerSettings {
  private static final int BATCH_BYTES = 128 * 1024;
  private static final long ANSWER_MARGIN_MS = 60_000;
  private static final int REQUEST_BYTES = 2 * 1024 * 1024;
  private static final long METADATA_MAX_IDLE_MS = Duration.ofDays(365).toMillis();

  private static final Map<String, Object> DEFAULTS =
      Map.of(
          ProducerConfig.LINGER_MS_CONFIG, 0,
          // Less CPU than Kafka's own level, 3, for few bytes more:
          // docs/dev/decisions/025-zstd-level-2.md.
          ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, 2,
          ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES,
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000,
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000,
          ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000,
          // After the metadata expires, the next send blocks on the brokers. Long.MAX_VALUE
          // overflows in the client, which makes the metadata expire immediately.
          ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_MAX_IDLE_MS);

  private static final Map<String, Object> FIXED =
      Map.of(
          ProducerConfig.ACKS_CONFIG,
          "all",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          true,
          ProducerConfig.RETRIES_CONFIG,
          Integer.MAX_VALUE,
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
          1,
          ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
          REQUEST_BYTES,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ByteArraySerializer.class,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ByteArraySerializer.class);

  /** Settings that the publisher sets itself or that do not apply to it. */
  private static final Set<String> REFUSED =
      Set.of(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ProducerConfig.COMPRESSION_TYPE_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG);

  private ProducerSettings() {}

  static Map<String, Object> of(PublisherSettings settings) {
    return of(
        settings.bootstrapServers(),
        settings.compression(),
        settings.gatewayId(),
        settings.kafka());
  }

  static void check(
      String bootstrapServers,
      Compression compression,
      String gatewayId,
      Map<String, Object> passedThrough) {
    for (String key : new TreeSet<>(passedThrough.keySet())) {
      SettingChecks.requireThat(
          !FIXED.containsKey(key) && !REFUSED.contains(key),
          "kafka " + key,
          passedThrough.get(key),
          "no value; Weir sets it");
    }
    try {
      Map<String, Object> parsed =
          ProducerConfig.configDef()
              .parse(of(bootstrapServers, compression, gatewayId, passedThrough));
      checkTimeouts(parsed);
    } catch (ConfigException e) {
      throw new IllegalArgumentException("kafka settings: " + e.getMessage(), e);
    }
  }

  /** Time within which a live producer reports the outcome of each batch. */
  static Duration answerTimeout(Map<String, Object> passedThrough) {
    Map<String, Object> settings = new HashMap<>(DEFAULTS);
    settings.putAll(passedThrough);
    long deliveryMs =
        Long.parseLong(settings.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG).toString().strip());
    return Duration.ofMillis(2 * deliveryMs + ANSWER_MARGIN_MS);
  }

  private static void checkTimeouts(Map<String, Object> parsed) {
    int deliveryMs = (int) parsed.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    int requestMs = (int) parsed.get(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    long lingerMs = (long) parsed.get(ProducerConfig.LINGER_MS_CONFIG);
    SettingChecks.requireThat(
        deliveryMs >= requestMs + lingerMs,
        "kafka " + ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
        deliveryMs,
        "request.timeout.ms + linger.ms, " + (requestMs + lingerMs) + ", or more");
  }

  private static Map<String, Object> of(
      String bootstrapServers,
      Compression compression,
      String gatewayId,
      Map<String, Object> passedThrough) {
    Map<String, Object> merged = new HashMap<>(DEFAULTS);
    merged.put(ProducerConfig.CLIENT_ID_CONFIG, "weir-publisher-" + gatewayId);
    merged.putAll(passedThrough);
    merged.putAll(FIXED);
    merged.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    merged.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression.name().toLowerCase(Locale.ROOT));
    return merged;
  }
}

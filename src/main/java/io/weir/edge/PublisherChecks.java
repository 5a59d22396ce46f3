package io.weir.edge;

import static io.weir.edge.PublisherBounds.MAX_FLUSH_INTERVAL;
import static io.weir.edge.PublisherBounds.MAX_GATEWAY_ID_BYTES;
import static io.weir.edge.PublisherBounds.MAX_QUEUE_CAPACITY;
import static io.weir.edge.PublisherBounds.MAX_SUSPEND_THRESHOLD_PERCENT;
import static io.weir.edge.PublisherBounds.MIN_BATCH_MAX_READINGS;
import static io.weir.edge.PublisherBounds.MIN_FLUSH_INTERVAL;
import static io.weir.edge.PublisherBounds.MIN_KEEP_MAX_BYTES;
import static io.weir.edge.PublisherBounds.MIN_KEEP_REPLAY_RATE;
import static io.weir.edge.PublisherBounds.MIN_QUEUE_CAPACITY;
import static io.weir.edge.PublisherBounds.MIN_QUEUE_CAPACITY_BYTES;
import static io.weir.edge.PublisherBounds.MIN_SUSPEND_THRESHOLD_PERCENT;
import static io.weir.edge.SettingChecks.requireBetween;
import static io.weir.edge.SettingChecks.requireThat;

import io.weir.internal.registry.RegistrySettings;
import io.weir.reading.Limits;
import io.weir.reading.OwnSequences;
import io.weir.signing.GatewayKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * Validates {@link PublisherSettings}: each method checks settings that depend on each other, and
 * throws an {@link IllegalArgumentException} with one line that names the invalid one.
 */
final class PublisherChecks {
  private static final int MAX_MAX_ID_BYTES = 1 << 16;

  private PublisherChecks() {}

  static void requireGatewayId(String gatewayId) {
    requireBetween(
        "gatewayId", gatewayId, utf8Bytes(gatewayId), 1, MAX_GATEWAY_ID_BYTES, "bytes of UTF-8");
    requireThat(
        IdDigest.bytes(IdDigest.of(gatewayId)) != IdDigest.NOT_TEXT,
        "gatewayId",
        gatewayId,
        "no unpaired surrogate: UTF-8 cannot encode it");
    requireThat(
        !OwnSequences.isOwn(gatewayId),
        "gatewayId",
        gatewayId,
        "no id that begins with " + OwnSequences.PREFIX + ": these are Weir's own gateways");
  }

  /** The application would reject every batch of a gateway with a longer id. */
  static void requireWithin(Limits limits, String gatewayId) {
    requireBetween(
        "gatewayId",
        gatewayId,
        utf8Bytes(gatewayId),
        1,
        limits.maxIdBytes(),
        "bytes of UTF-8: maxIdBytes is the limit of gateway ids too");
  }

  private static int utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  static void requireBatches(int batchMaxReadings, Duration flushInterval, Limits limits) {
    requireBetween(
        "batchMaxReadings", batchMaxReadings, MIN_BATCH_MAX_READINGS, limits.maxBatchReadings());
    requireThat(
        flushInterval.compareTo(MIN_FLUSH_INTERVAL) >= 0
            && flushInterval.compareTo(MAX_FLUSH_INTERVAL) <= 0,
        "flushInterval",
        flushInterval,
        "0 to 1 hour");
    requireBetween("maxIdBytes", limits.maxIdBytes(), 1, MAX_MAX_ID_BYTES);
  }

  static void requireQueue(
      long capacity, long capacityBytes, int suspendThresholdPercent, int resumeThresholdPercent) {
    requireBetween("queueCapacity", capacity, MIN_QUEUE_CAPACITY, MAX_QUEUE_CAPACITY);
    requireBetween("queueCapacityBytes", capacityBytes, MIN_QUEUE_CAPACITY_BYTES, Long.MAX_VALUE);
    requireBetween(
        "suspendThresholdPercent",
        suspendThresholdPercent,
        MIN_SUSPEND_THRESHOLD_PERCENT,
        MAX_SUSPEND_THRESHOLD_PERCENT);
    requireBetween(
        "resumeThresholdPercent", resumeThresholdPercent, 0, suspendThresholdPercent - 1);
  }

  static void requireDisk(
      Optional<Path> keepIn,
      long keepMaxBytes,
      Optional<Long> keepReplayRate,
      PublisherStart start,
      BatchJournal journal) {
    requireBetween(
        "keepReplayRate",
        keepReplayRate.orElse(MIN_KEEP_REPLAY_RATE),
        MIN_KEEP_REPLAY_RATE,
        Long.MAX_VALUE);
    requireBetween("keepMaxBytes", keepMaxBytes, MIN_KEEP_MAX_BYTES, Long.MAX_VALUE);
    requireThat(
        keepIn.isEmpty() || start.isFresh() && journal == BatchJournal.none(),
        "keepIn",
        keepIn.map(Path::toString).orElse(""),
        "no journal, resumeFrom or startAfter with it");
  }

  static void requireKeyOf(String gatewayId, Optional<GatewayKey> signingKey) {
    signingKey
        .flatMap(GatewayKey::gatewayId)
        .ifPresent(
            of ->
                requireThat(
                    of.equals(gatewayId), "signingKey", of, "the key of gateway " + gatewayId));
  }

  static void requireRegistry(Map<String, Object> kafka, Map<String, Object> schemaRegistry) {
    try {
      RegistrySettings.of(valueSettings(kafka, schemaRegistry));
    } catch (ConfigException e) {
      throw new IllegalArgumentException("schema registry settings: " + e.getMessage(), e);
    }
  }

  /** The settings of record values: the producer's, overridden by the registry's. */
  static Map<String, Object> valueSettings(
      Map<String, Object> kafka, Map<String, Object> schemaRegistry) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.putAll(schemaRegistry);
    return settings;
  }
}

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
import io.weir.internal.registry.ValueFormat;
import io.weir.reading.Limits;
import io.weir.reading.OwnSequences;
import io.weir.signing.GatewayKey;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of a gateway's publisher. Immutable. {@link Builder#build} throws an {@link
 * IllegalArgumentException} with one line that names the setting, its value and the allowed values.
 *
 * @param gatewayId id of the gateway: 1 to 256 bytes of UTF-8, and at most {@code
 *     limits.maxIdBytes()}; publishers that run at the same time need different ids
 * @param bootstrapServers Kafka's {@code bootstrap.servers}
 * @param topic of the readings, with 64 partitions
 * @param batchMaxReadings readings in a full batch: 1 to {@code limits.maxBatchReadings()}
 * @param flushInterval time after its first reading at which a batch is sent: 0 to 1 hour
 * @param queueCapacity maximum number of accepted, unacknowledged readings, from 1; a reading uses
 *     about 30 bytes plus its id
 * @param suspendThresholdPercent percentage of the capacity at which offers are suspended: 1 to 100
 * @param resumeThresholdPercent percentage of the capacity at which offers are accepted again:
 *     below the former
 * @param folding of readings with one sensor and timestamp
 * @param compression of records
 * @param limits the application's limits of batches and ids
 * @param journal receives batches before they are sent
 * @param start where sequences begin
 * @param queueCapacityBytes maximum memory of those readings, by a conservative estimate: 64 KiB
 *     and more
 * @param keepIn directory in which batches are stored until they are acknowledged; empty: none
 * @param keepMaxBytes maximum number of bytes stored there: 1 MiB and more
 * @param keepReplayRate maximum number of readings per second sent from there after an outage, from
 *     1; or empty
 * @param storedReadings receives the readings that earlier starts stored
 * @param overflow the policy for a full queue or disk limit
 * @param ordered whether each sensor's readings are offered in the order of time
 * @param splits number of ids per sensor that is published under several ids
 * @param signingKey the key that signs batches; empty: batches are not signed
 * @param deadLetters the topic from which the publisher reads its dead letters; empty: none
 * @param refusals receives those dead letters
 * @param listener receives changes of the publisher's status
 * @param kafka settings of the Kafka producer, except those that Weir fixes
 * @param schemaRegistry settings of a schema registry, by Confluent's names; with {@code
 *     schema.registry.url}, records carry the schema's id. {@code ssl.} and {@code sasl.} settings
 *     of the producer also apply to the registry
 */
public record PublisherSettings(
    String gatewayId,
    String bootstrapServers,
    String topic,
    int batchMaxReadings,
    Duration flushInterval,
    long queueCapacity,
    int suspendThresholdPercent,
    int resumeThresholdPercent,
    Folding folding,
    Compression compression,
    Limits limits,
    BatchJournal journal,
    PublisherStart start,
    long queueCapacityBytes,
    Optional<Path> keepIn,
    long keepMaxBytes,
    Optional<Long> keepReplayRate,
    StoredReadings storedReadings,
    Overflow overflow,
    boolean ordered,
    Map<String, Integer> splits,
    Optional<GatewayKey> signingKey,
    Optional<String> deadLetters,
    Refusal.Listener refusals,
    PublisherStatus.Listener listener,
    Map<String, Object> kafka,
    Map<String, Object> schemaRegistry) {

  public PublisherSettings {
    PublisherChecks.requireGatewayId(gatewayId);
    requireThat(!bootstrapServers.isBlank(), "bootstrapServers", bootstrapServers, "host:port,...");
    requireThat(!topic.isBlank(), "topic", topic, "the name of a topic");
    PublisherChecks.requireBatches(batchMaxReadings, flushInterval, limits);
    PublisherChecks.requireWithin(limits, gatewayId);
    PublisherChecks.requireQueue(
        queueCapacity, queueCapacityBytes, suspendThresholdPercent, resumeThresholdPercent);
    PublisherChecks.requireDisk(keepIn, keepMaxBytes, keepReplayRate, start, journal);
    start.requireOf(gatewayId);
    PublisherChecks.requireKeyOf(gatewayId, signingKey);
    splits = Map.copyOf(splits);
    kafka = Map.copyOf(kafka);
    ProducerSettings.check(bootstrapServers, compression, gatewayId, kafka);
    schemaRegistry = Map.copyOf(schemaRegistry);
    PublisherChecks.requireRegistry(kafka, schemaRegistry);
  }

  /** Longest sensor or gateway id, in UTF-8 bytes; of {@link #limits}. */
  public int maxIdBytes() {
    return limits.maxIdBytes();
  }

  /** The format of batches as values on the topic. Sends no request yet. */
  ValueFormat valueFormat() {
    return ValueFormat.of(PublisherChecks.valueSettings(kafka, schemaRegistry));
  }

  /** A builder with the default settings; the bootstrap servers have no default. */
  public static Builder builder(String gatewayId) {
    return new Builder(gatewayId);
  }

  /** Omits the values of Kafka and registry settings, which may be secret. */
  @Override
  public String toString() {
    return "PublisherSettings[gatewayId=%s, bootstrapServers=%s, topic=%s, kafka=%s]"
        .formatted(gatewayId, bootstrapServers, topic, new TreeSet<>(kafka.keySet()));
  }

  /** Builds settings; each method has the name of its setting. Not thread-safe. */
  public static final class Builder {
    private final String gatewayId;
    private String bootstrapServers = "";
    private String topic = "weir.readings";
    private int batchMaxReadings = PublisherBounds.DEFAULT_BATCH_MAX_READINGS;
    private Duration flushInterval = PublisherBounds.DEFAULT_FLUSH_INTERVAL;
    private long queueCapacity = PublisherBounds.DEFAULT_QUEUE_CAPACITY;
    private int suspendThresholdPercent = PublisherBounds.DEFAULT_SUSPEND_THRESHOLD_PERCENT;
    private Optional<Integer> resumeThresholdPercent = Optional.empty();
    private Folding folding = Folding.OFF;
    private Compression compression = Compression.ZSTD;
    private Limits limits = Limits.DEFAULT;
    private BatchJournal journal = BatchJournal.none();
    private PublisherStart start = PublisherStart.fresh();
    private long queueCapacityBytes = Math.max(1 << 20, Runtime.getRuntime().maxMemory() / 4);
    private Optional<Path> keepIn = Optional.empty();
    private long keepMaxBytes = PublisherBounds.DEFAULT_KEEP_MAX_BYTES;
    private Optional<Long> keepReplayRate = Optional.empty();
    private StoredReadings storedReadings = StoredReadings.NONE;
    private Overflow overflow = PublisherBounds.DEFAULT_OVERFLOW;
    private boolean ordered;
    private final Map<String, Integer> splits = new HashMap<>();
    private Optional<GatewayKey> signingKey = Optional.empty();
    private Optional<String> deadLetters = Optional.empty();
    private Refusal.Listener refusals = refusal -> {};
    private PublisherStatus.Listener listener = status -> {};
    private final Map<String, Object> kafka = new TreeMap<>();
    private final Map<String, Object> schemaRegistry = new TreeMap<>();

    private Builder(String gatewayId) {
      this.gatewayId = gatewayId;
    }

    public Builder bootstrapServers(String bootstrapServers) {
      this.bootstrapServers = bootstrapServers;
      return this;
    }

    public Builder topic(String topic) {
      this.topic = topic;
      return this;
    }

    public Builder batchMaxReadings(int batchMaxReadings) {
      this.batchMaxReadings = batchMaxReadings;
      return this;
    }

    public Builder flushInterval(Duration flushInterval) {
      this.flushInterval = flushInterval;
      return this;
    }

    public Builder queueCapacity(long queueCapacity) {
      this.queueCapacity = queueCapacity;
      return this;
    }

    public Builder suspendThresholdPercent(int suspendThresholdPercent) {
      this.suspendThresholdPercent = suspendThresholdPercent;
      return this;
    }

    /** Default: nine points below the suspend threshold, at least 0. */
    public Builder resumeThresholdPercent(int resumeThresholdPercent) {
      this.resumeThresholdPercent = Optional.of(resumeThresholdPercent);
      return this;
    }

    public Builder folding(Folding folding) {
      this.folding = folding;
      return this;
    }

    public Builder compression(Compression compression) {
      this.compression = compression;
      return this;
    }

    /** The longest sensor or gateway id; part of {@link #limits}. */
    public Builder maxIdBytes(int maxIdBytes) {
      this.limits = new Limits(limits.maxRecordBytes(), limits.maxBatchReadings(), maxIdBytes);
      return this;
    }

    /**
     * The application's limits; default: Weir's. The application rejects larger batches and ids. A
     * batch never exceeds 1 MiB.
     */
    public Builder limits(Limits limits) {
      this.limits = limits;
      return this;
    }

    public Builder journal(BatchJournal journal) {
      this.journal = journal;
      return this;
    }

    /**
     * Continues with the state's boot id: sends its unacknowledged batches first, unchanged, then
     * new ones with the sequences after its last. Use only with the latest {@link PublisherState}.
     *
     * @deprecated a state that is older than the last assigned sequences loses readings; {@link
     *     #keepIn} is never outdated
     */
    @Deprecated
    public Builder resumeFrom(PublisherState state) {
      this.start = PublisherStart.resuming(state);
      return this;
    }

    /**
     * Starts with a boot id larger than the state's: its unacknowledged batches are sent first,
     * unchanged, and new ones are counted from 1. Safe with any state of this gateway, even an old
     * one.
     */
    public Builder startAfter(PublisherState state) {
      this.start = PublisherStart.after(state);
      return this;
    }

    /**
     * Bounds the memory of unacknowledged readings and their acknowledgements; by default a quarter
     * of the heap.
     */
    public Builder queueCapacityBytes(long queueCapacityBytes) {
      this.queueCapacityBytes = queueCapacityBytes;
      return this;
    }

    /**
     * Stores batches in a directory, for this gateway only, until the brokers acknowledge them.
     * They survive a crash and are sent first, unchanged, at the next start; during an outage the
     * disk is the limit, not the memory. Each start writes a new boot id to disk before it sends.
     * An acknowledgement then means that the reading is on disk and cannot be lost.
     */
    public Builder keepIn(Path directory) {
      this.keepIn = Optional.of(directory);
      return this;
    }

    /** Limits the size of {@link #keepIn}; default: 10 GiB. */
    public Builder keepMaxBytes(long keepMaxBytes) {
      this.keepMaxBytes = keepMaxBytes;
      return this;
    }

    /**
     * Limits the readings per second that are sent from the disk after an outage. New readings of a
     * partition wait behind them, so a rate below that of new readings never catches up.
     */
    public Builder keepReplayRate(long readingsPerSecond) {
      this.keepReplayRate = Optional.of(readingsPerSecond);
      return this;
    }

    /** Passes the readings that earlier starts stored to a listener; default: none. */
    public Builder storedReadings(StoredReadings storedReadings) {
      this.storedReadings = storedReadings;
      return this;
    }

    /**
     * The policy when {@link #keepMaxBytes} is reached or, without {@link #keepIn}, when the queue
     * is full; default: SUSPEND.
     */
    public Builder overflow(Overflow overflow) {
      this.overflow = overflow;
      return this;
    }

    /**
     * Promises that each sensor's readings are offered in the order of time, and that no other
     * gateway publishes these sensors. Every batch then attests that its sensors are complete
     * through their newest reading: Weir then finally closes a window with the first reading past
     * its end, without waiting for grace. A reading that breaks the promise is late if its window
     * is closed. {@link PublisherMetrics#OUT_OF_ORDER} counts it, and its batch attests nothing
     * about its sensor; nor does any batch until a suspended reading of the sensor is offered
     * again. For other exceptions see {@link ReadingPublisher#complete}. Costs a look-up per offer
     * and about 100 bytes per sensor.
     */
    public Builder ordered(boolean ordered) {
      this.ordered = ordered;
      return this;
    }

    /**
     * Publishes a sensor with too many readings for one partition under several ids: {@code
     * sensorId/1} to {@code sensorId/parts}, round-robin. Each part is a sensor with separate
     * windows; a group of the parts yields the total. Event time advances in larger steps in each
     * part, so its windows close later and sparse readings become late sooner. {@code complete} of
     * the sensor applies to all parts. Costs a look-up and a string per offer.
     *
     * @param parts from 2 to 64
     */
    public Builder splitInto(String sensorId, int parts) {
      requireBetween("splitInto(" + sensorId + ")", parts, 2, SensorPartition.COUNT);
      splits.put(sensorId, parts);
      return this;
    }

    /**
     * Signs each batch when it is sent, so that Weir can verify its gateway: {@link
     * GatewayKey#read} reads a key file of {@code weir key gateway}. Batches in {@link #keepIn} are
     * stored unsigned and signed with the current key when they are sent. Costs HMAC-SHA256 over
     * each batch and about 100 bytes per batch on the topic.
     */
    public Builder signWith(GatewayKey key) {
      this.signingKey = Optional.of(key);
      return this;
    }

    /**
     * Reads this publisher's dead letters from the dead-letter topic, {@code weir.dead-letters},
     * counts them, and reports a fenced gateway in the status, because the brokers acknowledge its
     * batches like all others. Costs a consumer of the whole topic and needs READ on it; without
     * that permission it logs a line.
     */
    public Builder watchDeadLetters(String topic) {
      return watchDeadLetters(topic, refusal -> {});
    }

    /**
     * The same, with a listener for each dead letter of the gateway id, including those of other
     * starts and other processes.
     */
    public Builder watchDeadLetters(String topic, Refusal.Listener refusals) {
      this.deadLetters = Optional.of(topic);
      this.refusals = refusals;
      return this;
    }

    /** Receives changes of the publisher's status. */
    public Builder listener(PublisherStatus.Listener listener) {
      this.listener = listener;
      return this;
    }

    /** Adds settings for the Kafka producer, such as {@code security.protocol}. */
    public Builder kafka(Map<String, ?> kafka) {
      this.kafka.putAll(kafka);
      return this;
    }

    /**
     * Adds settings of a schema registry, such as {@code schema.registry.url}. Over HTTP it needs
     * {@code com.fasterxml.jackson.core:jackson-core} on the class path.
     */
    public Builder schemaRegistry(Map<String, ?> schemaRegistry) {
      this.schemaRegistry.putAll(schemaRegistry);
      return this;
    }

    /** Throws an {@link IllegalArgumentException} with one line that names an invalid setting. */
    public PublisherSettings build() {
      return new PublisherSettings(
          gatewayId,
          bootstrapServers,
          topic,
          batchMaxReadings,
          flushInterval,
          queueCapacity,
          suspendThresholdPercent,
          resumeThresholdPercent.orElse(Math.max(0, suspendThresholdPercent - 9)),
          folding,
          compression,
          limits,
          journal,
          start,
          queueCapacityBytes,
          keepIn,
          keepMaxBytes,
          keepReplayRate,
          storedReadings,
          overflow,
          ordered,
          splits,
          signingKey,
          deadLetters,
          refusals,
          listener,
          kafka,
          schemaRegistry);
    }
  }

  /**
   * Validates {@link PublisherSettings}: each method checks settings that depend on each other, and
   * throws an {@link IllegalArgumentException} with one line that names the invalid one.
   */
  static final class PublisherChecks {
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
        long capacity,
        long capacityBytes,
        int suspendThresholdPercent,
        int resumeThresholdPercent) {
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
}

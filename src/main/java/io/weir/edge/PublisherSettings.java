package io.weir.edge;

import static io.weir.edge.SettingChecks.requireBetween;
import static io.weir.edge.SettingChecks.requireThat;

import io.weir.reading.Limits;
import io.weir.registry.ValueFormat;
import io.weir.signing.GatewayKey;
import io.weir.topic.SensorPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How a gateway's publisher works. Immutable; {@link Builder#build} throws an {@link
 * IllegalArgumentException} with one line that names the setting, its value and what is allowed.
 *
 * @param gatewayId who publishes: 1 to 256 bytes of UTF-8, and at most {@code limits.maxIdBytes()};
 *     two publishers that run at the same time need two ids
 * @param bootstrapServers Kafka's {@code bootstrap.servers}
 * @param topic of the readings, with 64 partitions
 * @param batchMaxReadings readings in a full batch: 1 to {@code limits.maxBatchReadings()}
 * @param flushInterval a batch is sent so long after its first reading: 0 to 1 hour
 * @param queueCapacity most readings accepted and not acknowledged, from 1; one takes about 30
 *     bytes, and its id
 * @param suspendThresholdPercent of the capacity, where offers are suspended: 1 to 100
 * @param resumeThresholdPercent of the capacity, where they are taken again: below the former
 * @param folding of readings with one sensor and timestamp
 * @param compression of records
 * @param limits the application's, within which batches and ids are kept
 * @param journal receives batches before they are sent
 * @param start where sequences begin
 * @param queueCapacityBytes most memory that those readings take, counted generously: 64 KiB and
 *     more
 * @param keepIn where batches are kept on disk until they are acknowledged; empty: nowhere
 * @param keepMaxBytes most bytes kept there: 1 MiB and more
 * @param keepReplayRate most readings a second sent from there after an outage, from 1; or empty
 * @param overflow what becomes of readings when there is no room for more
 * @param ordered whether each sensor's readings are offered in the order of time
 * @param splits sensors that are published as several ids, and as how many each
 * @param signingKey what batches are signed with; empty: they are not signed
 * @param deadLetters the topic on which the publisher looks for what Weir refused of it; empty: it
 *     does not look
 * @param refusals receives what it finds there
 * @param listener receives changes of the publisher's status
 * @param kafka settings for the Kafka producer, beside those that Weir fixes
 * @param schemaRegistry settings of a schema registry, by Confluent's names; where {@code
 *     schema.registry.url} is among them, records carry the schema's id. {@code ssl.} and {@code
 *     sasl.} settings of the producer are the registry's too
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

  /** Settings for a gateway, all with their defaults; the bootstrap servers are still to be set. */
  public static Builder builder(String gatewayId) {
    return new Builder(gatewayId);
  }

  /** Names the gateway and the brokers, but no value passed through: those may be secret. */
  @Override
  public String toString() {
    return "PublisherSettings[gatewayId=%s, bootstrapServers=%s, topic=%s, kafka=%s]"
        .formatted(gatewayId, bootstrapServers, topic, new TreeSet<>(kafka.keySet()));
  }

  /** Collects settings; each method is named like the setting it sets. For one thread. */
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

    /** Where it is not set it is nine points below the suspend threshold, or 0. */
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
     * The application's limits; Weir's defaults where they are not set. It would refuse larger
     * batches and ids. A batch never has more than 1 MiB.
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
     * new ones with the sequences after its last. Only for the latest {@link PublisherState}.
     *
     * @deprecated a state that is older than sequences given since loses readings; {@link #keepIn}
     *     cannot be too old
     */
    @Deprecated
    public Builder resumeFrom(PublisherState state) {
      this.start = PublisherStart.resuming(state);
      return this;
    }

    /**
     * Starts with a boot id larger than the state's: its unacknowledged batches go out first, as
     * they were, and new ones are counted from 1. Safe with any state of this gateway, however old.
     */
    public Builder startAfter(PublisherState state) {
      this.start = PublisherStart.after(state);
      return this;
    }

    /** Bounds the memory of unacknowledged readings; by default a quarter of the heap. */
    public Builder queueCapacityBytes(long queueCapacityBytes) {
      this.queueCapacityBytes = queueCapacityBytes;
      return this;
    }

    /**
     * Keeps batches in a directory, of this gateway only, until the brokers have them. They survive
     * a crash and are sent first, unchanged, at the next start; while no broker can be reached the
     * disk is the limit and not the memory. Each start has a boot id of its own, on disk before
     * anything is sent. An acknowledgement then says that a reading is on disk: it cannot be lost.
     */
    public Builder keepIn(Path directory) {
      this.keepIn = Optional.of(directory);
      return this;
    }

    /** Bounds what {@link #keepIn} keeps; 10 GiB where it is not set. */
    public Builder keepMaxBytes(long keepMaxBytes) {
      this.keepMaxBytes = keepMaxBytes;
      return this;
    }

    /**
     * Sends at most so many readings a second from the disk after an outage. New readings of a
     * partition wait behind them, so a rate below that of new readings never ends.
     */
    public Builder keepReplayRate(long readingsPerSecond) {
      this.keepReplayRate = Optional.of(readingsPerSecond);
      return this;
    }

    /**
     * What happens to readings when {@link #keepMaxBytes} are kept, or, without {@link #keepIn},
     * when the queue is full; SUSPEND by default.
     */
    public Builder overflow(Overflow overflow) {
      this.overflow = overflow;
      return this;
    }

    /**
     * Promises that each sensor's readings are offered in the order of time, and that no other
     * gateway publishes these sensors. Every batch then attests that its sensors are complete
     * through their newest reading: Weir closes a window, finally, as soon as a reading past its
     * end comes, without waiting for grace. A reading that breaks the promise is late once its
     * window is closed. It is counted in {@link PublisherMetrics#OUT_OF_ORDER}, and its batch
     * attests nothing of its sensor; nor does any batch while a suspended reading of the sensor has
     * not been offered again. For other exceptions see {@link ReadingPublisher#complete}. Costs a
     * look-up for each offer, and about 100 bytes for each sensor.
     */
    public Builder ordered(boolean ordered) {
      this.ordered = ordered;
      return this;
    }

    /**
     * Publishes a sensor with too many readings for one partition as several ids: {@code
     * sensorId/1} to {@code sensorId/parts}, in turn. Each is a sensor with windows of its own; a
     * group of them adds up to the whole. The time of a part advances in larger steps, so its
     * windows close later and sparse readings are late sooner. {@code complete} of the sensor
     * applies to all parts. Costs a look-up and a string for each offer.
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
     * not signed there, and get the key of the day when they are sent. Costs HMAC-SHA256 over each
     * batch, and about 100 bytes of it on the topic.
     */
    public Builder signWith(GatewayKey key) {
      this.signingKey = Optional.of(key);
      return this;
    }

    /**
     * Reads the dead-letter topic, {@code weir.dead-letters}, for what Weir refuses of this
     * publisher, counts it, and shows a fenced gateway in the status: the brokers acknowledge such
     * batches like all others. Costs a consumer of the whole topic, and needs the right to read it;
     * without that right it logs a line.
     */
    public Builder watchDeadLetters(String topic) {
      return watchDeadLetters(topic, refusal -> {});
    }

    /**
     * The same, with a listener for each dead letter of the gateway id, also those of other starts
     * and of other processes that use it.
     */
    public Builder watchDeadLetters(String topic, Refusal.Listener refusals) {
      this.deadLetters = Optional.of(topic);
      this.refusals = refusals;
      return this;
    }

    /** Receives changes of the publisher's status: that it publishes, or why it cannot. */
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

    /** Throws an {@link IllegalArgumentException} of one line that names a bad setting. */
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
}

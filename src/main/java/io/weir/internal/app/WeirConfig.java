package io.weir.internal.app;

import io.weir.internal.registry.ProtobufSerde;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.time.DurationText;
import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.topic.Topic.Retention;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicOptions;
import io.weir.topic.TopicOptions.Changelog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.SortedMap;

/**
 * All settings, validated individually and in combination. Immutable.
 *
 * @param kafka bootstrap servers and settings of Kafka's clients
 * @param plant name of this plant where several share a cluster
 * @param applicationId the application id
 * @param instanceId group.instance.id of this process
 * @param topics names of the topics
 * @param topicOptions replicas and retention of topics
 * @param latest form of the topics with the last summary of each window
 * @param outputCompression compression.type of what is written with transactions
 * @param windows settings of windows
 * @param status sensor status and alarms
 * @param state limits of the state of a partition
 * @param limits limits of input records
 * @param maxDecompressedBytes maximum size of a decompressed record batch
 * @param stateDir directory for local files
 * @param threads stream threads, at least 1
 * @param http settings of health checks and metrics
 * @param log settings of the log
 * @param edge settings of a gateway
 * @param input settings of the inputs of weir edge
 * @param events settings of weir events
 * @param sink settings of weir sink
 * @param collect settings of weir collect
 * @param imports settings of weir import
 * @param serve settings of weir serve
 * @param signing settings of signatures and keys
 * @param shown all of Weir's own settings by their names in a properties file, secrets hidden
 * @param values settings of serialisation: those of a schema registry by Confluent's names, and
 *     Kafka's
 * @param warnings a line for each ignored variable
 */
public record WeirConfig(
    KafkaSettings kafka,
    Optional<String> plant,
    String applicationId,
    Optional<String> instanceId,
    TopicNames topics,
    TopicOptions topicOptions,
    LatestForm latest,
    String outputCompression,
    WindowSettings windows,
    StatusSettings status,
    StateLimits state,
    Limits limits,
    int maxDecompressedBytes,
    Path stateDir,
    int threads,
    HttpSettings http,
    LogSettings log,
    EdgeSettings edge,
    InputSettings input,
    EventOptions events,
    SinkSettings sink,
    CollectSettings collect,
    ImportOptions imports,
    ServeSettings serve,
    SigningSettings signing,
    SortedMap<String, String> shown,
    Map<String, Object> values,
    List<String> warnings) {
  public WeirConfig {
    shown = Collections.unmodifiableSortedMap(shown);
    values = Map.copyOf(values);
    warnings = List.copyOf(warnings);
  }

  /**
   * Merges the layers of settings; a later layer wins.
   *
   * @param file a properties file's content, keys with the prefix {@code weir.}
   * @param environment variables: WEIR_ ones are settings, KAFKA_ ones go to Kafka's clients, those
   *     of either that end in _FILE name a file to read the value from
   * @param options settings by their names without prefix
   * @throws ConfigException if a key is unknown, a value is invalid, or settings conflict
   */
  public static WeirConfig of(
      Properties file, Map<String, String> environment, Map<String, String> options) {
    List<String> warnings = new ArrayList<>();
    Settings settings = Settings.layered(file, environment, options, warnings);
    Limits limits =
        new Limits(
            settings.get(Keys.MAX_RECORD_BYTES),
            settings.get(Keys.MAX_BATCH_READINGS),
            settings.get(Keys.MAX_ID_BYTES));
    KafkaSettings kafka =
        KafkaSettings.of(settings.get(Keys.BOOTSTRAP_SERVERS), environment, warnings);
    TopicNames topics = topics(settings);
    return new WeirConfig(
        kafka,
        settings.find(Keys.PLANT),
        settings.get(Keys.APPLICATION_ID),
        settings.find(Keys.INSTANCE_ID),
        topics,
        TopicOptionSettings.of(settings, kafka),
        settings.get(OutputKeys.LATEST),
        settings.get(OutputKeys.COMPRESSION),
        windows(settings),
        StatusSettings.of(settings),
        stateLimits(settings),
        limits,
        maxDecompressedBytes(settings, limits),
        settings.get(Keys.STATE_DIR),
        settings.get(Keys.THREADS),
        http(settings),
        new LogSettings(
            settings.get(Keys.LOG_FORMAT),
            settings.find(Keys.LOG_LEVEL),
            settings.find(Keys.KAFKA_LOG_LEVEL)),
        edge(settings, limits),
        InputSettings.of(settings),
        EventOptions.of(settings),
        SinkSettings.of(settings, topics),
        CollectSettings.of(settings),
        ImportOptions.of(settings),
        ServeSettings.of(settings),
        SigningSettings.of(settings),
        settings.shown(),
        ValueSettings.of(settings, kafka, warnings),
        warnings);
  }

  /** A name on Kafka that no setting holds, with the plant before it. */
  public String ofPlant(String name) {
    return plant.map(each -> each + "." + name).orElse(name);
  }

  /** The name of a topic, enabled or not. */
  public String nameOf(Topic topic) {
    return shown.get(TopicKeys.name(topic).propertyName());
  }

  /**
   * Maximum size of a decompressed record: up to four times the limit, the dead letter has the
   * record's beginning.
   */
  public int maxDecompressedRecordBytes() {
    return 4 * limits.maxRecordBytes();
  }

  /** Names the application and its topics; values and Kafka's settings hold secrets. */
  @Override
  public String toString() {
    return "WeirConfig[applicationId=%s, topics=%s]".formatted(applicationId, topics);
  }

  private static TopicNames topics(Settings settings) {
    Map<String, Key<String>> taken = new HashMap<>();
    Map<Topic, String> names = new EnumMap<>(Topic.class);
    for (Topic topic : Topic.values()) {
      Key<String> key = TopicKeys.name(topic);
      String name = settings.get(key);
      Key<String> other = taken.put(name, key);
      if (other != null) {
        throw settings.refusal(
            key, other.propertyName() + " has the same name; expected: a different name");
      }
      if (TopicKeys.isOn(settings, topic)) {
        names.put(topic, name);
      }
    }
    requireEventsToFold(settings);
    requireSources(settings, names);
    return new TopicNames(names);
  }

  private static void requireEventsToFold(Settings settings) {
    if (settings.get(EventKeys.FOLD) && !settings.get(EventKeys.EVENTS)) {
      throw settings.refusal(EventKeys.FOLD, "expected: false without weir.events=true");
    }
  }

  private static void requireSources(Settings settings, Map<Topic, String> names) {
    for (Topic source : Topic.values()) {
      if (source.latest().map(names::containsKey).orElse(false) && !names.containsKey(source)) {
        throw settings.refusal(
            OutputKeys.LATEST_OF,
            "%s are off; expected: weir.%s".formatted(source.text(), source.text()));
      }
    }
  }

  private static int maxDecompressedBytes(Settings settings, Limits limits) {
    int bytes = settings.get(Keys.MAX_DECOMPRESSED_BYTES);
    if (bytes < limits.maxRecordBytes()) {
      throw settings.refusal(
          Keys.MAX_DECOMPRESSED_BYTES,
          "expected: at least weir.max.record.bytes, " + limits.maxRecordBytes());
    }
    return bytes;
  }

  private static StateLimits stateLimits(Settings settings) {
    return new StateLimits(
        new WindowLimits(
            settings.get(Keys.MAX_SENSORS),
            settings.get(Keys.MAX_SENSORS_PER_GATEWAY),
            settings.get(Keys.MAX_BATCH_WINDOWS)),
        settings.get(Keys.MAX_GATEWAYS),
        settings.get(WindowKeys.GATEWAY_TTL),
        settings.get(WindowKeys.MARK_TTL));
  }

  private static HttpSettings http(Settings settings) {
    return new HttpSettings(
        settings.get(Keys.HTTP_HOST),
        settings.get(Keys.HTTP_PORT),
        settings.find(Keys.HTTP_PROBE_PORT),
        settings.find(EdgeKeys.EDGE_HTTP_PORT),
        settings.get(Keys.READY_REBALANCE_TOLERANCE),
        settings.get(Keys.READY_COMMIT_TOLERANCE),
        settings.get(Keys.START_TIMEOUT));
  }

  private static WindowSettings windows(Settings settings) {
    WindowSettings windows =
        new WindowSettings(
            settings.get(WindowKeys.WINDOW_SIZE),
            settings.get(WindowKeys.WINDOW_GRACE),
            settings.get(WindowKeys.ALLOWED_LATENESS),
            settings.get(WindowKeys.IDLE_TIMEOUT),
            settings.get(WindowKeys.MAX_FUTURE_SKEW),
            settings.get(WindowKeys.SENSOR_TTL),
            settings.get(WindowKeys.MARK_TTL),
            StatisticsSettings.plan(settings),
            rollups(settings),
            hopping(settings));
    requireTtlAbove(settings, "weir.idle.timeout", windows.idleTimeout());
    // A sensor that expires within its own window would find that window closed.
    requireTtlAbove(
        settings, "weir.window.size + weir.window.grace", windows.size().plus(windows.grace()));
    return windows;
  }

  private static RollupPlan rollups(Settings settings) {
    Duration before = settings.get(WindowKeys.WINDOW_SIZE);
    String what = "weir.window.size";
    List<Long> sizesMs = new ArrayList<>();
    for (Duration size : settings.get(WindowKeys.ROLLUPS)) {
      if (size.compareTo(before) <= 0 || size.toMillis() % before.toMillis() != 0) {
        throw settings.refusal(
            WindowKeys.ROLLUPS,
            "%s is not a larger multiple of %s, %s"
                .formatted(DurationText.format(size), what, DurationText.format(before)));
      }
      sizesMs.add(size.toMillis());
      before = size;
      what = "the one before";
    }
    if (!sizesMs.isEmpty()) {
      requireRemembered(settings, WindowKeys.ROLLUPS, before);
    }
    return RollupPlan.of(settings.get(WindowKeys.WINDOW_SIZE).toMillis(), sizesMs);
  }

  private static HoppingPlan hopping(Settings settings) {
    Duration length = settings.get(WindowKeys.HOPPING);
    if (length.isZero()) {
      return HoppingPlan.NONE;
    }
    Duration window = settings.get(WindowKeys.WINDOW_SIZE);
    long windows = length.toMillis() / window.toMillis();
    if (length.toMillis() % window.toMillis() != 0
        || windows < 2
        || windows > HoppingPlan.MOST_WINDOWS) {
      throw settings.refusal(
          WindowKeys.HOPPING,
          "expected: 2 to %d times weir.window.size, %s"
              .formatted(HoppingPlan.MOST_WINDOWS, DurationText.format(window)));
    }
    requireRemembered(settings, WindowKeys.HOPPING, length);
    return HoppingPlan.of(
        window.toMillis(),
        length.toMillis(),
        settings.find(WindowKeys.HOPPING_SENSORS).orElse(List.of()));
  }

  /** An expired sensor would start its window again as if it were complete. */
  private static void requireRemembered(Settings settings, Key<?> key, Duration largest) {
    Duration remembered =
        settings.get(WindowKeys.SENSOR_TTL).plus(settings.get(WindowKeys.MARK_TTL));
    if (largest.compareTo(remembered) > 0) {
      throw settings.refusal(
          key,
          "%s is longer than weir.sensor.ttl + weir.mark.ttl = %s"
              .formatted(DurationText.format(largest), DurationText.format(remembered)));
    }
  }

  private static void requireTtlAbove(Settings settings, String what, Duration bound) {
    if (settings.get(WindowKeys.SENSOR_TTL).compareTo(bound) <= 0) {
      throw settings.refusal(
          WindowKeys.SENSOR_TTL,
          "expected: more than " + what + " = " + DurationText.format(bound));
    }
  }

  private static EdgeSettings edge(Settings settings, Limits limits) {
    EdgeSettings edge =
        new EdgeSettings(
            settings.find(EdgeKeys.GATEWAY_ID),
            settings.get(EdgeKeys.BATCH_MAX_READINGS),
            settings.get(EdgeKeys.FLUSH_INTERVAL),
            settings.get(EdgeKeys.QUEUE_CAPACITY),
            settings.get(EdgeKeys.SUSPEND_THRESHOLD_PERCENT),
            settings.get(EdgeKeys.ORDERED),
            spool(settings));
    if (edge.batchMaxReadings() > limits.maxBatchReadings()) {
      throw settings.refusal(
          EdgeKeys.BATCH_MAX_READINGS,
          "expected: up to weir.max.batch.readings, " + limits.maxBatchReadings());
    }
    edge.gatewayId()
        .filter(id -> id.getBytes(StandardCharsets.UTF_8).length > limits.maxIdBytes())
        .ifPresent(
            id -> {
              throw settings.refusal(
                  EdgeKeys.GATEWAY_ID,
                  "expected: up to weir.max.id.bytes, " + limits.maxIdBytes() + " bytes");
            });
    return edge;
  }

  private static SpoolSettings spool(Settings settings) {
    return new SpoolSettings(
        settings.find(EdgeKeys.SPOOL_DIR),
        settings.get(EdgeKeys.SPOOL_MAX_BYTES),
        settings.get(EdgeKeys.SPOOL_FULL),
        settings.find(EdgeKeys.SPOOL_REPLAY_RATE));
  }

  /** The statistics for each sensor, from the settings. */
  static final class StatisticsSettings {
    private static final Map<StatisticSet, Key<List<String>>> SENSORS =
        Map.of(
            StatisticSet.FIRST_LAST, WindowKeys.STATISTICS_FIRST_LAST,
            StatisticSet.VARIANCE, WindowKeys.STATISTICS_VARIANCE,
            StatisticSet.HISTOGRAM, WindowKeys.STATISTICS_HISTOGRAM,
            StatisticSet.QUALITY, WindowKeys.STATISTICS_QUALITY,
            StatisticSet.INTEGRAL, WindowKeys.STATISTICS_INTEGRAL,
            StatisticSet.COUNTER, WindowKeys.STATISTICS_COUNTER,
            StatisticSet.SUM_REST, WindowKeys.STATISTICS_SUM_REST);

    private StatisticsSettings() {}

    /**
     * The plan.
     *
     * @throws ConfigException if sensors are set for a statistic that is not enabled
     */
    static StatisticsPlan plan(Settings settings) {
      Map<StatisticSet, List<String>> plan = new EnumMap<>(StatisticSet.class);
      for (StatisticSet set : StatisticSet.values()) {
        Key<List<String>> sensors = SENSORS.get(set);
        Optional<List<String>> prefixes = settings.find(sensors);
        boolean on = settings.get(WindowKeys.STATISTICS).contains(set);
        if (prefixes.isPresent() && !on) {
          throw settings.refusal(
              sensors, "weir.statistics does not contain this set: add " + set.text());
        }
        if (on) {
          plan.put(set, prefixes.orElse(List.of()));
        }
      }
      int mostSamples = settings.get(WindowKeys.SAMPLES_MAX);
      int mostOfPartition = settings.get(WindowKeys.SAMPLES_PARTITION_MAX);
      // Without a set, the limits apply to windows that began while one was enabled.
      return plan.isEmpty()
              && mostSamples == StatisticsPlan.DEFAULT_MOST_SAMPLES
              && mostOfPartition == StatisticsPlan.DEFAULT_MOST_OF_PARTITION
          ? StatisticsPlan.NONE
          : new StatisticsPlan(plan, mostSamples).withMostOfPartition(mostOfPartition);
    }
  }

  /** The settings of topics: replicas, retention and changelogs. */
  static final class TopicOptionSettings {
    private TopicOptionSettings() {}

    static TopicOptions of(Settings settings, KafkaSettings kafka) {
      return new TopicOptions(
          replicationFactor(settings, kafka),
          brokersNamed(settings.get(Keys.BOOTSTRAP_SERVERS)),
          retentions(settings),
          new Changelog(
              settings.get(TopicKeys.CHANGELOG_SEGMENT_BYTES),
              settings.get(TopicKeys.CHANGELOG_SEGMENT_TIME),
              settings.get(TopicKeys.CHANGELOG_COMPACTION_LAG)));
    }

    /** Uses Kafka Streams' replication.factor if Weir's setting is not set. */
    private static OptionalInt replicationFactor(Settings settings, KafkaSettings kafka) {
      Optional<Integer> configured = settings.find(Keys.REPLICATION_FACTOR);
      Optional<Integer> passed = kafka.replicationFactor();
      if (configured.isPresent() && passed.isPresent() && !configured.equals(passed)) {
        throw settings.refusal(
            Keys.REPLICATION_FACTOR,
            "KAFKA_REPLICATION_FACTOR is " + passed.get() + "; expected: one of the two");
      }
      return configured.or(() -> passed).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    private static int brokersNamed(String bootstrapServers) {
      return (int) Arrays.stream(bootstrapServers.split(",")).distinct().count();
    }

    private static Map<Topic, Retention> retentions(Settings settings) {
      Map<Topic, Retention> retentions = new EnumMap<>(Topic.class);
      for (Topic topic : Topic.values()) {
        if (topic.retention().isPresent()) {
          retentions.put(topic, TopicKeys.retention(settings, topic));
        }
      }
      return retentions;
    }
  }

  /** The settings of a schema registry by Confluent's names, and of a custom serde. */
  static final class ValueSettings {
    private static final List<Key<?>> REGISTRY =
        List.of(
            RegistryKeys.SCHEMA_REGISTRY_URL,
            RegistryKeys.AUTO_REGISTER,
            RegistryKeys.USE_LATEST,
            RegistryKeys.SUBJECT_NAMES,
            RegistryKeys.BASIC_SOURCE,
            RegistryKeys.BASIC_USER_INFO,
            RegistryKeys.BEARER_SOURCE,
            RegistryKeys.BEARER_TOKEN,
            RegistryKeys.SCHEMA_IDS);

    private ValueSettings() {}

    /**
     * @throws ConfigException if they conflict
     */
    static Map<String, Object> of(Settings settings, KafkaSettings kafka, List<String> warnings) {
      Map<String, Object> values = new HashMap<>(kafka.passed());
      for (Key<?> key : REGISTRY) {
        settings.find(key).ifPresent(value -> values.put(key.name(), value));
      }
      settings
          .find(RegistryKeys.SERDE_CLASS)
          .ifPresent(serde -> values.put(ProtobufSerde.SERDE_CLASS, serde));
      try {
        RegistrySettings.of(values)
            .clearTextUrl()
            .ifPresent(
                url ->
                    warnings.add(
                        RegistryKeys.SCHEMA_REGISTRY_URL.propertyName()
                            + ": credentials go to "
                            + url
                            + " in clear text: use https"));
      } catch (org.apache.kafka.common.config.ConfigException e) {
        throw new ConfigException("schema registry, weir.<its setting>: " + e.getMessage());
      }
      return values;
    }
  }

  /**
   * The settings of a gateway.
   *
   * @param gatewayId its id, unique among all gateways
   * @param batchMaxReadings readings after which a batch is sent
   * @param flushInterval time after its first reading after which a batch is sent
   * @param queueCapacity maximum number of accepted readings without acknowledgement
   * @param suspendThresholdPercent fill level of the queue above which readings are not accepted, 1
   *     to 100
   * @param ordered whether each sensor reports in time order
   * @param spool settings of the spool directory
   */
  public record EdgeSettings(
      Optional<String> gatewayId,
      int batchMaxReadings,
      Duration flushInterval,
      int queueCapacity,
      int suspendThresholdPercent,
      boolean ordered,
      SpoolSettings spool) {}

  /**
   * The settings of health checks and metrics.
   *
   * @param host the address to listen on
   * @param port port of {@code run}; 0 for a free one
   * @param probePort port of every service for probes only; empty for none
   * @param edgePort port of {@code edge}; empty for none
   * @param rebalanceTolerance how long a rebalance may last before the application is no longer
   *     ready
   * @param commitTolerance how long a partition may go without a commit before it is no longer
   *     ready
   * @param startTimeout how long a start waits for Kafka
   */
  public record HttpSettings(
      String host,
      int port,
      Optional<Integer> probePort,
      Optional<Integer> edgePort,
      Duration rebalanceTolerance,
      Duration commitTolerance,
      Duration startTimeout) {}

  /**
   * Limits of the state of a partition.
   *
   * @param windows limits of sensors, and of windows that one batch opens
   * @param maxGateways maximum number of gateways, including marks of expired ones
   * @param gatewayTtl inactivity after which only the mark of a gateway is retained
   * @param markTtl how long the mark of an expired gateway or sensor is retained
   */
  public record StateLimits(
      WindowLimits windows, int maxGateways, Duration gatewayTtl, Duration markTtl) {
    /**
     * The limits of gateways.
     *
     * @param maxFutureSkewMs how far a gateway's clock may be ahead
     */
    public GatewayRules gateways(long maxFutureSkewMs) {
      return new GatewayRules(
          gatewayTtl.toMillis(), markTtl.toMillis(), maxGateways, maxFutureSkewMs);
    }
  }
}

package io.weir.app;

import static io.weir.app.ValueType.choice;
import static io.weir.app.ValueType.className;
import static io.weir.app.ValueType.directory;
import static io.weir.app.ValueType.duration;
import static io.weir.app.ValueType.durationOrNone;
import static io.weir.app.ValueType.durations;
import static io.weir.app.ValueType.file;
import static io.weir.app.ValueType.flag;
import static io.weir.app.ValueType.groupTemplate;
import static io.weir.app.ValueType.hostPorts;
import static io.weir.app.ValueType.integer;
import static io.weir.app.ValueType.logLevel;
import static io.weir.app.ValueType.oneOf;
import static io.weir.app.ValueType.prefixes;
import static io.weir.app.ValueType.registryUrls;
import static io.weir.app.ValueType.statisticSets;
import static io.weir.app.ValueType.text;
import static io.weir.app.ValueType.topicName;
import static io.weir.app.ValueType.wholeNumber;

import io.weir.alarm.GroupTemplate;
import io.weir.event.FoldSpec;
import io.weir.event.TimerLimits;
import io.weir.group.GroupSpec;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.registry.RegistrySettings;
import io.weir.window.StatisticsPlan;
import io.weir.window.WindowLimits;
import io.weir.window.aggregate.StatisticSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The catalogue of settings: each name, default and meaning stands here and nowhere else. */
public final class Keys {
  public static final Key<String> BOOTSTRAP_SERVERS =
      Key.of("bootstrap.servers", hostPorts(), "localhost:9092", "brokers to find the cluster by");
  public static final Key<String> APPLICATION_ID =
      Key.of(
          "application.id",
          topicName(),
          "weir",
          "the application's name on the cluster: consumer group, transactions, internal topics");
  public static final Key<String> INSTANCE_ID =
      Key.unset(
          "instance.id",
          text(200),
          "this instance's name in the group, the same after a restart (the pod's name)");
  public static final Key<String> SCHEMA_REGISTRY_URL =
      Key.unset(
          "schema.registry.url",
          registryUrls(),
          "a schema registry, several addresses with commas between them; with it values are"
              + " framed");
  public static final Key<Boolean> AUTO_REGISTER =
      Key.of(
          RegistrySettings.AUTO_REGISTER,
          flag(),
          "true",
          "registry: register schemas; where false they must be there (weir topics registers"
              + " them)");
  public static final Key<Boolean> USE_LATEST =
      Key.of(
          RegistrySettings.USE_LATEST,
          flag(),
          "false",
          "registry: where none are registered, write the id of the subject's newest version");
  public static final Key<String> SUBJECT_NAMES =
      Key.of(
          RegistrySettings.VALUE_SUBJECT_NAMES,
          className("TopicNameStrategy", "RecordNameStrategy", "TopicRecordNameStrategy"),
          "TopicNameStrategy",
          "registry: how subjects are named; also RecordNameStrategy, TopicRecordNameStrategy");
  public static final Key<String> BASIC_SOURCE =
      Key.of(
          RegistrySettings.BASIC_SOURCE,
          choice("URL", "USER_INFO", "SASL_INHERIT"),
          "URL",
          "registry: where name and password stand; also USER_INFO, SASL_INHERIT");
  public static final Key<String> BASIC_USER_INFO =
      Key.unset(RegistrySettings.BASIC_USER_INFO, text(4_096), "registry: name:password");
  public static final Key<String> BEARER_SOURCE =
      Key.unset(
          RegistrySettings.BEARER_SOURCE,
          choice("STATIC_TOKEN"),
          "registry: STATIC_TOKEN, for a token instead of name and password");
  public static final Key<String> BEARER_TOKEN =
      Key.unset(RegistrySettings.BEARER_TOKEN, text(65_536), "registry: the token");
  public static final Key<String> SCHEMA_IDS =
      Key.unset(
          RegistrySettings.SCHEMA_IDS,
          text(10_000),
          "registry: ids of schemas that frames may name, with commas between them; unset for any"
              + " that it has");
  public static final Key<String> SERDE_CLASS =
      Key.unset(
          "serde.class",
          text(1_000),
          "class of a Kafka Serde that writes and reads values in place of Weir's own");

  public static final Key<Integer> REPLICATION_FACTOR =
      Key.unset(
          "replication.factor",
          integer(1, Short.MAX_VALUE),
          "replicas of all topics and of the changelog; unset: the cluster's default, but at"
              + " least 3 where it has three brokers");

  public static final Key<Duration> WINDOW_SIZE =
      Key.of("window.size", duration("1ms"), "10s", "length of a window, aligned to the epoch");
  public static final Key<Duration> WINDOW_GRACE =
      Key.of(
          "window.grace",
          duration("0s"),
          "5s",
          "how far a sensor's own time runs past a window's end before the window closes");
  public static final Key<Duration> ALLOWED_LATENESS =
      Key.of(
          "allowed.lateness",
          duration("0s"),
          "0s",
          "how much longer, in the sensor's time, a closed window takes late readings");
  public static final Key<Duration> IDLE_TIMEOUT =
      Key.of(
          "idle.timeout",
          duration("1ms"),
          "30s",
          "silence after which a sensor's windows that have ended are emitted too");
  public static final Key<Duration> MAX_FUTURE_SKEW =
      Key.of(
          "max.future.skew",
          duration("0s"),
          "5m",
          "how far ahead of its arrival a reading's time may be");
  public static final Key<Duration> SENSOR_TTL =
      Key.of("sensor.ttl", duration("1ms"), "1d", "silence after which a sensor is forgotten");
  public static final Key<Duration> GATEWAY_TTL =
      Key.of(
          "gateway.ttl",
          duration("1ms"),
          "7d",
          "silence after which only a gateway's highest boot and sequence are kept");
  public static final Key<Duration> MARK_TTL =
      Key.of(
          "mark.ttl",
          duration("1ms"),
          "30d",
          "how much longer it is known of a forgotten sensor up to when its windows were closed, and"
              + " of a silent gateway what it sent last");

  public static final Key<Set<StatisticSet>> STATISTICS =
      Key.of(
          "statistics",
          statisticSets(),
          "none",
          "what summaries say beside count, sum, min and max: first_last, variance, histogram,"
              + " quality, integral, counter, sum_rest, with commas between them");
  public static final Key<List<String>> STATISTICS_FIRST_LAST = sensorsWith("first_last");
  public static final Key<List<String>> STATISTICS_VARIANCE = sensorsWith("variance");
  public static final Key<List<String>> STATISTICS_HISTOGRAM = sensorsWith("histogram");
  public static final Key<List<String>> STATISTICS_QUALITY = sensorsWith("quality");
  public static final Key<List<String>> STATISTICS_INTEGRAL = sensorsWith("integral");
  public static final Key<List<String>> STATISTICS_COUNTER = sensorsWith("counter");
  public static final Key<List<String>> STATISTICS_SUM_REST = sensorsWith("sum_rest");
  public static final Key<Integer> SAMPLES_MAX =
      Key.of(
          "samples.max",
          integer(1, 1_000_000),
          Integer.toString(StatisticsPlan.DEFAULT_MOST_SAMPLES),
          "most readings of a window that are kept for integral and counter, 16 bytes each; a window"
              + " with more goes without them");

  public static final Key<List<Duration>> ROLLUPS =
      Key.of(
          "rollups",
          durations(),
          "none",
          "larger spans that summaries are made of, such as 1m,1h,1d, on a topic of their own: each"
              + " a multiple of the one before, the first of weir.window.size");

  public static final Key<Duration> HOPPING =
      Key.of(
          "hopping",
          durationOrNone("1ms"),
          "none",
          "length of hopping windows, such as 5m: at the end of each window a summary of the last"
              + " 5 minutes, on a topic of their own; 2 to 60 times weir.window.size");
  public static final Key<List<String>> HOPPING_SENSORS =
      Key.unset(
          "hopping.sensors",
          prefixes(),
          "what the ids of the sensors begin with that have hopping windows; unset for all");

  public static final Key<Boolean> STATUS =
      Key.of(
          "status",
          flag(),
          "false",
          "whether run tells how sensors stand: started, silent, resumed, finished, and their"
              + " alarms, to weir.topic.status");
  public static final Key<Duration> SILENT_AFTER =
      Key.of(
          "silent.after",
          duration("1ms"),
          "5m",
          "how long nothing comes of a sensor before its status is SILENT");
  public static final Key<Path> RULES_FILE =
      Key.unset(
          "rules.file",
          file(),
          "a file of rules, in YAML, by which run raises and clears alarms of sensors");
  public static final Key<GroupTemplate> GROUP =
      Key.of(
          "group",
          groupTemplate(),
          GroupTemplate.DEFAULT.toString(),
          "which group a sensor belongs to: text with {1}, {2} ... for the parts of its id between"
              + " slashes; alarms have it as their key");
  public static final Key<Boolean> EVENTS =
      Key.of(
          "events",
          flag(),
          "false",
          "whether there are events: the topics weir.topic.events and weir.topic.scheduled, and what"
              + " weir events schedules");
  public static final Key<Boolean> FOLD =
      Key.of(
          "fold",
          flag(),
          "false",
          "whether weir events folds the events of each key, to weir.topic.folded");
  public static final Key<String> EVENTS_APPLICATION_ID =
      Key.of(
          "events.application.id",
          topicName(),
          "weir-events",
          "weir events: its name on the cluster, as weir.application.id is that of weir run");
  public static final Key<Duration> FOLD_QUIET =
      Key.of(
          "fold.quiet",
          duration("1ms", "1d"),
          "5s",
          "silence of a key after which its events become one");
  public static final Key<Duration> FOLD_MAX_HOLD =
      Key.of(
          "fold.max.hold",
          duration("1ms", "1d"),
          "1m",
          "how long events of a key that never rests are held");
  public static final Key<Integer> FOLD_MAX_FIELDS =
      Key.of(
          "fold.max.fields",
          integer(1, 100_000),
          "1000",
          "most different fields of a fold; another one begins a new fold");
  public static final Key<Long> FOLD_MAX_BYTES =
      Key.of(
          "fold.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(FoldSpec.DEFAULT.maxBytes()),
          "most bytes of memory of a partition's folds; beyond them the oldest are emitted");
  public static final Key<Long> TIMERS_MAX_BYTES =
      Key.of(
          "timers.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(TimerLimits.DEFAULT.bytes()),
          "most bytes of memory of a partition's scheduled events; beyond them events are refused");
  public static final Key<Boolean> GROUPS =
      Key.of(
          "groups",
          flag(),
          "false",
          "whether weir events summarises windows of groups of sensors, to weir.topic.groups");
  public static final Key<Duration> GROUPS_SIZE =
      Key.of(
          "groups.size",
          duration("1ms"),
          "1m",
          "length of the windows that groups have: weir.window.size or one of weir.rollups");
  public static final Key<Duration> GROUPS_QUIET =
      Key.of(
          "groups.quiet",
          duration("1ms", "1d"),
          "5s",
          "how long a group's window must not change before it is emitted");
  public static final Key<Duration> GROUPS_HOLD =
      Key.of(
          "groups.hold",
          duration("1ms", "1d"),
          "1m",
          "how long a change of a group's window is held that does not come to rest");
  public static final Key<Duration> GROUPS_KEEP =
      Key.of(
          "groups.keep",
          duration("1ms"),
          "1h",
          "how long after its last change a group's window takes changes; later ones are counted and"
              + " change nothing");
  public static final Key<Integer> GROUPS_MAX_SENSORS =
      Key.of(
          "groups.max.sensors",
          integer(1, 1_000_000),
          Integer.toString(GroupSpec.DEFAULT.maxSensors()),
          "most sensors in a window of a group; others are counted and change nothing");
  public static final Key<Long> GROUPS_MAX_BYTES =
      Key.of(
          "groups.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(GroupSpec.DEFAULT.maxBytes()),
          "most bytes of memory of a partition's windows of groups; beyond them those that did not"
              + " change for longest are emitted and dropped");

  public static final Key<Path> STATE_DIR =
      Key.ofMachine(
          "state.dir",
          directory(),
          Path.of(System.getProperty("java.io.tmpdir"), "weir-state"),
          "weir-state in the directory for temporary files",
          "where the application keeps its local files");
  public static final Key<Integer> THREADS =
      Key.ofMachine(
          "threads",
          integer(1, 1024),
          Runtime.getRuntime().availableProcessors(),
          "as many as there are processors",
          "threads that aggregate; more than 64 in all instances have nothing to do");
  public static final Key<Integer> HTTP_PORT =
      Key.of("http.port", integer(0, 65_535), "8080", "port of health and metrics; 0 for any free");
  public static final Key<Integer> HTTP_PROBE_PORT =
      Key.unset(
          "http.probe.port",
          integer(0, 65_535),
          "another port, with health alone: connections to the first one cannot keep probes out");
  public static final Key<String> HTTP_HOST =
      Key.of("http.host", text(255), "0.0.0.0", "address of health and metrics; 0.0.0.0 for all");
  public static final Key<Duration> READY_REBALANCE_TOLERANCE =
      Key.of(
          "ready.rebalance.tolerance",
          duration("0s"),
          "1m",
          "how long a rebalance may last before the application is no longer ready");
  public static final Key<Duration> READY_COMMIT_TOLERANCE =
      Key.of(
          "ready.commit.tolerance",
          duration("1s"),
          "90s",
          "how long a partition may go without a commit before the application is no longer ready;"
              + " a silent one has one every 30 s");
  public static final Key<Duration> START_TIMEOUT =
      Key.of(
          "start.timeout",
          duration("0s"),
          "3m",
          "how long run waits at its start for a Kafka that does not answer, before it ends");
  public static final Key<LogFormat> LOG_FORMAT =
      Key.of(
          "log.format", oneOf(LogFormat.class), "plain", "plain lines, or json, an object a line");
  public static final Key<String> LOG_LEVEL =
      Key.unset(
          "log.level",
          logLevel(),
          "how much Weir logs: off, error, warn, info, debug or trace; unset: info (demo: warn)");
  public static final Key<String> KAFKA_LOG_LEVEL =
      Key.unset(
          "kafka.log.level",
          logLevel(),
          "how much Kafka's clients log, in the same words; unset: warn (short commands: error)");

  public static final Key<Integer> MAX_RECORD_BYTES =
      Key.of(
          "max.record.bytes",
          integer(1_024, 64 << 20),
          Integer.toString(Limits.DEFAULT.maxRecordBytes()),
          "largest record that is looked at, in bytes");
  public static final Key<Integer> MAX_DECOMPRESSED_BYTES =
      Key.of(
          "max.decompressed.bytes",
          integer(64 << 10, 1 << 30),
          Integer.toString(32 << 20),
          "largest batch of records, as a Kafka producer compresses them, that is decompressed, in"
              + " bytes");
  public static final Key<Integer> MAX_BATCH_READINGS =
      Key.of(
          "max.batch.readings",
          integer(1, 1_000_000),
          Integer.toString(Limits.DEFAULT.maxBatchReadings()),
          "most readings in one batch");
  public static final Key<Integer> MAX_BATCH_WINDOWS =
      Key.of(
          "max.batch.windows",
          integer(1, 1_000_000),
          Integer.toString(WindowLimits.DEFAULT.maxBatchWindows()),
          "most windows that one batch may open; one that opens more is refused whole");
  public static final Key<Integer> MAX_ID_BYTES =
      Key.of(
          "max.id.bytes",
          integer(1, 4_096),
          Integer.toString(Limits.DEFAULT.maxIdBytes()),
          "longest sensor or gateway id, in bytes of UTF-8");
  public static final Key<Integer> MAX_SENSORS =
      Key.of(
          "max.sensors",
          integer(1, 100_000_000),
          Integer.toString(WindowLimits.DEFAULT.maxSensors()),
          "most sensors that a partition keeps, forgotten ones' marks included; new ones beyond are"
              + " refused");
  public static final Key<Integer> MAX_SENSORS_PER_GATEWAY =
      Key.of(
          "max.sensors.per.gateway",
          integer(1, 100_000_000),
          Integer.toString(WindowLimits.DEFAULT.maxSensorsPerGateway()),
          "of these, most that one gateway was the first to send; batches without a boot id count"
              + " as one gateway's");
  public static final Key<Integer> MAX_GATEWAYS =
      Key.of(
          "max.gateways",
          integer(1, 100_000_000),
          Integer.toString(GatewayRules.MAX_GATEWAYS),
          "most gateways that a partition keeps, forgotten ones' marks included; new ones beyond"
              + " are refused");

  /** All of them, in the order in which they are told. */
  public static final List<Key<?>> ALL =
      Stream.of(
              List.<Key<?>>of(
                  BOOTSTRAP_SERVERS,
                  APPLICATION_ID,
                  INSTANCE_ID,
                  SCHEMA_REGISTRY_URL,
                  AUTO_REGISTER,
                  USE_LATEST,
                  SUBJECT_NAMES,
                  BASIC_SOURCE,
                  BASIC_USER_INFO,
                  BEARER_SOURCE,
                  BEARER_TOKEN,
                  SCHEMA_IDS,
                  SERDE_CLASS),
              TopicKeys.NAMES,
              List.of(REPLICATION_FACTOR),
              TopicKeys.RETENTIONS,
              List.of(
                  WINDOW_SIZE,
                  WINDOW_GRACE,
                  ALLOWED_LATENESS,
                  IDLE_TIMEOUT,
                  MAX_FUTURE_SKEW,
                  SENSOR_TTL,
                  GATEWAY_TTL,
                  MARK_TTL,
                  STATISTICS,
                  STATISTICS_FIRST_LAST,
                  STATISTICS_VARIANCE,
                  STATISTICS_HISTOGRAM,
                  STATISTICS_QUALITY,
                  STATISTICS_INTEGRAL,
                  STATISTICS_COUNTER,
                  STATISTICS_SUM_REST,
                  SAMPLES_MAX,
                  ROLLUPS,
                  HOPPING,
                  HOPPING_SENSORS,
                  STATUS,
                  SILENT_AFTER,
                  RULES_FILE,
                  GROUP,
                  EVENTS,
                  EVENTS_APPLICATION_ID,
                  FOLD,
                  FOLD_QUIET,
                  FOLD_MAX_HOLD,
                  FOLD_MAX_FIELDS,
                  FOLD_MAX_BYTES,
                  TIMERS_MAX_BYTES,
                  GROUPS,
                  GROUPS_SIZE,
                  GROUPS_QUIET,
                  GROUPS_HOLD,
                  GROUPS_KEEP,
                  GROUPS_MAX_SENSORS,
                  GROUPS_MAX_BYTES,
                  STATE_DIR,
                  THREADS,
                  HTTP_PORT,
                  HTTP_PROBE_PORT,
                  HTTP_HOST,
                  READY_REBALANCE_TOLERANCE,
                  READY_COMMIT_TOLERANCE,
                  START_TIMEOUT,
                  LOG_FORMAT,
                  LOG_LEVEL,
                  KAFKA_LOG_LEVEL,
                  MAX_RECORD_BYTES,
                  MAX_DECOMPRESSED_BYTES,
                  MAX_BATCH_READINGS,
                  MAX_BATCH_WINDOWS,
                  MAX_ID_BYTES,
                  MAX_SENSORS,
                  MAX_SENSORS_PER_GATEWAY,
                  MAX_GATEWAYS),
              SigningKeys.ALL,
              EdgeKeys.ALL,
              SinkKeys.ALL,
              CollectKeys.ALL)
          .<Key<?>>flatMap(List::stream)
          .toList();

  private Keys() {}

  private static Key<List<String>> sensorsWith(String set) {
    return Key.unset(
        "statistics." + set,
        prefixes(),
        "what the ids of the sensors begin with that have the set " + set + "; unset for all");
  }
}

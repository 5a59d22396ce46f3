package io.weir.app;

import static io.weir.app.ValueType.directory;
import static io.weir.app.ValueType.duration;
import static io.weir.app.ValueType.hostPorts;
import static io.weir.app.ValueType.integer;
import static io.weir.app.ValueType.logLevel;
import static io.weir.app.ValueType.oneOf;
import static io.weir.app.ValueType.text;
import static io.weir.app.ValueType.topicName;

import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.window.WindowLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The catalogue of settings: each name, default and meaning is here and nowhere else. */
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
  public static final Key<Integer> REPLICATION_FACTOR =
      Key.unset(
          "replication.factor",
          integer(1, Short.MAX_VALUE),
          "replicas of all topics and of the changelog; unset: the cluster's default, but at"
              + " least 3 where it has three brokers");

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

  /** All of them, in the order of the documentation. */

  /** All of it, in the order of the documentation. */
  public static final List<Key<?>> ALL =
      Stream.of(
              List.of(BOOTSTRAP_SERVERS, APPLICATION_ID, INSTANCE_ID),
              RegistryKeys.ALL,
              TopicKeys.NAMES,
              List.of(REPLICATION_FACTOR),
              TopicKeys.RETENTIONS,
              WindowKeys.ALL,
              EventKeys.ALL,
              List.of(
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
}

package io.weir.internal.app;

import static io.weir.internal.app.ValueType.directory;
import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.hostPorts;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.logLevel;
import static io.weir.internal.app.ValueType.oneOf;
import static io.weir.internal.app.ValueType.plant;
import static io.weir.internal.app.ValueType.text;
import static io.weir.internal.app.ValueType.topicName;

import io.weir.internal.window.WindowLimits;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The catalogue of settings: each name, default and meaning is here and nowhere else. */
public final class Keys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> BOOTSTRAP_SERVERS =
      KEYS.of(
          "bootstrap.servers",
          hostPorts(),
          "localhost:9092",
          "Kafka brokers for the first connection");
  public static final Key<String> PLANT =
      KEYS.unset(
          "plant",
          plant(),
          "name of this plant where several share a cluster: it and a dot stand before every"
              + " default name of a topic and an application id, and every group, and it is the label plant of every"
              + " metric; names that are set stay as they are");
  public static final Key<String> APPLICATION_ID =
      KEYS.of(
          "application.id",
          topicName(),
          "weir",
          "name of the application on Kafka: consumer group, transactional ids, changelog topics");
  public static final Key<String> INSTANCE_ID =
      KEYS.unset(
          "instance.id",
          text(200),
          "group.instance.id of this process; keep it across restarts, for example the pod name");
  public static final Key<Integer> REPLICATION_FACTOR =
      KEYS.unset(
          "replication.factor",
          integer(1, Short.MAX_VALUE),
          "replication factor of all topics and changelogs; default: that of the cluster, but at"
              + " least 3 where the cluster has three brokers");

  public static final Key<Path> STATE_DIR =
      KEYS.ofMachine(
          "state.dir",
          directory(),
          Path.of(System.getProperty("java.io.tmpdir"), "weir-state"),
          "weir-state in the directory for temporary files",
          "directory for local files of the application");
  public static final Key<Integer> THREADS =
      KEYS.ofMachine(
          "threads",
          integer(1, 1024),
          Runtime.getRuntime().availableProcessors(),
          "the number of processors",
          "stream threads of this process; more than 64 threads in all processes together have"
              + " no effect");
  public static final Key<Integer> HTTP_PORT =
      KEYS.of(
          "http.port",
          integer(0, 65_535),
          "8080",
          "port of health checks and metrics; 0 chooses a free port");
  public static final Key<Integer> HTTP_PROBE_PORT =
      KEYS.unset(
          "http.probe.port",
          integer(0, 65_535),
          "second port with health checks only, of edge too, so that many connections to"
              + " http.port or edge.http.port cannot block probes");
  public static final Key<String> HTTP_HOST =
      KEYS.of(
          "http.host",
          text(255),
          "0.0.0.0",
          "listen address of health checks and metrics; 0.0.0.0 listens on all interfaces");
  public static final Key<Duration> READY_REBALANCE_TOLERANCE =
      KEYS.of(
          "ready.rebalance.tolerance",
          duration("0s"),
          "1m",
          "maximum duration of a rebalance before /readyz returns 503");
  public static final Key<Duration> READY_COMMIT_TOLERANCE =
      KEYS.of(
          "ready.commit.tolerance",
          duration("1s"),
          "90s",
          "maximum age of the last commit of a partition before /readyz returns 503; an idle"
              + " partition commits every 30 s");
  public static final Key<Duration> START_TIMEOUT =
      KEYS.of(
          "start.timeout",
          duration("0s"),
          "3m",
          "how long run waits for Kafka at start before it exits");
  public static final Key<LogFormat> LOG_FORMAT =
      KEYS.of(
          "log.format",
          oneOf(LogFormat.class),
          "plain",
          "plain for text lines; json, ecs (Elastic Common Schema) or google (Cloud Logging) for"
              + " one JSON object a line");
  public static final Key<String> LOG_LEVEL =
      KEYS.unset(
          "log.level",
          logLevel(),
          "log level of Weir: off, error, warn, info, debug or trace; default: info (demo: warn)");
  public static final Key<String> KAFKA_LOG_LEVEL =
      KEYS.unset(
          "kafka.log.level",
          logLevel(),
          "log level of the Kafka clients, with the same values; default: warn (short commands:"
              + " error)");

  public static final Key<Integer> MAX_RECORD_BYTES =
      KEYS.of(
          "max.record.bytes",
          integer(1_024, 64 << 20),
          Integer.toString(Limits.DEFAULT.maxRecordBytes()),
          "maximum size of an input record in bytes; larger records are refused");
  public static final Key<Integer> MAX_DECOMPRESSED_BYTES =
      KEYS.of(
          "max.decompressed.bytes",
          integer(64 << 10, 1 << 30),
          Integer.toString(32 << 20),
          "maximum size in bytes of a decompressed Kafka record batch");
  public static final Key<Integer> MAX_BATCH_READINGS =
      KEYS.of(
          "max.batch.readings",
          integer(1, 1_000_000),
          Integer.toString(Limits.DEFAULT.maxBatchReadings()),
          "maximum number of readings in one batch");
  public static final Key<Integer> MAX_BATCH_WINDOWS =
      KEYS.of(
          "max.batch.windows",
          integer(1, 1_000_000),
          Integer.toString(WindowLimits.DEFAULT.maxBatchWindows()),
          "maximum number of new windows of one batch; a batch that needs more is refused as a"
              + " whole");
  public static final Key<Integer> MAX_ID_BYTES =
      KEYS.of(
          "max.id.bytes",
          integer(1, 4_096),
          Integer.toString(Limits.DEFAULT.maxIdBytes()),
          "maximum length of a sensor or gateway id, in bytes of UTF-8");
  public static final Key<Integer> MAX_SENSORS =
      KEYS.of(
          "max.sensors",
          integer(1, 100_000_000),
          Integer.toString(WindowLimits.DEFAULT.maxSensors()),
          "maximum number of sensors in the state of a partition, including expired sensors"
              + " whose close time is retained; new sensors above it are refused");
  public static final Key<Integer> MAX_SENSORS_PER_GATEWAY =
      KEYS.of(
          "max.sensors.per.gateway",
          integer(1, 100_000_000),
          Integer.toString(WindowLimits.DEFAULT.maxSensorsPerGateway()),
          "maximum number of sensors of a partition that one gateway may create; batches without"
              + " a boot id count as one gateway");
  public static final Key<Integer> MAX_GATEWAYS =
      KEYS.of(
          "max.gateways",
          integer(1, 100_000_000),
          Integer.toString(GatewayRules.MAX_GATEWAYS),
          "maximum number of gateways in the state of a partition, including expired gateways"
              + " whose last sequence is retained; new gateways above it are refused");

  /** All keys, in the order of the documentation. */
  public static final List<Key<?>> ALL =
      Stream.of(
              KEYS.all(),
              RegistryKeys.ALL,
              TopicKeys.ALL,
              WindowKeys.ALL,
              OutputKeys.ALL,
              EventKeys.ALL,
              SigningKeys.ALL,
              EdgeKeys.ALL,
              InputKeys.ALL,
              MqttKeys.ALL,
              SparkplugKeys.ALL,
              SinkKeys.ALL,
              CollectKeys.ALL,
              ImportKeys.ALL,
              ServeKeys.ALL)
          .<Key<?>>flatMap(List::stream)
          .toList();

  /** Whether the default of a setting begins with the plant's name, if there is one. */
  static boolean isNamedByPlant(Key<?> key) {
    return key == APPLICATION_ID || key == EventKeys.EVENTS_APPLICATION_ID || TopicKeys.isName(key);
  }

  private Keys() {}
}

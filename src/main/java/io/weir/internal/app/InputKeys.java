package io.weir.internal.app;

import static io.weir.internal.app.ValueType.directory;
import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.file;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.hostPorts;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.oneOf;
import static io.weir.internal.app.ValueType.wholeNumber;

import io.weir.internal.input.Histograms;
import io.weir.internal.input.IdentitySettings.Collisions;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.influx.InfluxSettings.MissingTime;
import io.weir.internal.input.otlp.OtlpSettings;
import io.weir.internal.input.prometheus.RemoteWriteSettings;
import io.weir.internal.input.prometheus.RemoteWriteSettings.NonFinite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The settings of the inputs of {@code weir edge}: a part of the catalogue {@link Keys}. */
public final class InputKeys {
  private static final Key.Group KEYS = new Key.Group();

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final long GIB = 1L << 30;

  public static final Key<String> LISTEN =
      KEYS.unset(
          "edge.listen",
          hostPorts(),
          "addresses where weir edge receives readings over HTTP, instead of files; port 0 chooses a"
              + " free port");
  public static final Key<Boolean> DEDUP =
      KEYS.of(
          "edge.dedup", flag(), "true", "whether readings that a client sends again count once");
  public static final Key<Long> DEDUP_BYTES =
      KEYS.of(
          "edge.dedup.bytes",
          wholeNumber("BYTES", 8 * MIB, 16 * GIB),
          Integer.toString(128 * MIB),
          "memory for recognising repeats: about 200 bytes a sensor, and 16 a reading, of at least"
              + " 32 readings a sensor");
  public static final Key<Long> DEDUP_DISK =
      KEYS.of(
          "edge.dedup.disk",
          wholeNumber("BYTES", 0, 16 * GIB),
          Integer.toString(64 * MIB),
          "bytes of newer batches in weir.spool.dir until delivered ones are deleted; the next"
              + " start recognises repeats by them");
  public static final Key<Collisions> ID_COLLISIONS =
      KEYS.of(
          "edge.id.collisions",
          oneOf(Collisions.class),
          "count",
          "what happens to a series whose sensor id another series has: count accepts and counts"
              + " it, refuse refuses it");
  public static final Key<Path> CLIENTS_FILE =
      KEYS.unset(
          "edge.clients.file",
          file(),
          "YAML file of the clients that may write, with the hashes of their tokens; read again"
              + " when it changes; default: every client may");
  public static final Key<Boolean> PLAINTEXT =
      KEYS.of(
          "edge.plaintext", flag(), "false", "allows addresses other than loopback without TLS");
  public static final Key<Path> TLS_CERT =
      KEYS.unset("edge.tls.cert", file(), "certificate chain in PEM; read again when it changes");
  public static final Key<Path> TLS_KEY =
      KEYS.unset("edge.tls.key", file(), "private key of weir.edge.tls.cert in PEM (PKCS #8)");
  public static final Key<Path> TLS_CLIENT_CA =
      KEYS.unset(
          "edge.tls.client-ca",
          file(),
          "certificates of authorities in PEM; a client needs a certificate from one of them");
  public static final Key<Integer> MAX_BODY_BYTES =
      KEYS.of(
          "edge.max.body.bytes",
          integer(64 * KIB, 256 * MIB),
          Integer.toString(32 * MIB),
          "largest body of a request as received; not more than an eighth of"
              + " weir.edge.max.inflight.bytes");
  public static final Key<Integer> MAX_DECODED_BYTES =
      KEYS.of(
          "edge.max.decoded.bytes",
          integer(64 * KIB, 1 << 30),
          Integer.toString(64 * MIB),
          "largest body of a request after decompression; not more than a quarter of"
              + " weir.edge.max.inflight.bytes");
  public static final Key<Integer> MAX_REQUESTS =
      KEYS.of(
          "edge.max.requests",
          integer(1, 10_000),
          "128",
          "maximum number of requests at the same time, without those whose body still comes; further"
              + " ones are answered with 503");
  public static final Key<Long> MAX_INFLIGHT_BYTES =
      KEYS.of(
          "edge.max.inflight.bytes",
          wholeNumber("BYTES", MIB, 16 * GIB),
          Integer.toString(256 * MIB),
          "maximum memory for the bodies of all requests, not more than a quarter of the heap;"
              + " further ones are answered with 503");
  public static final Key<Integer> MAX_CONNECTIONS =
      KEYS.of(
          "edge.max.connections",
          integer(1, 100_000),
          "1000",
          "maximum number of connections; beyond it the address that has most of them loses one");
  public static final Key<Duration> IDLE_TIMEOUT =
      KEYS.of(
          "edge.idle.timeout",
          duration("1s", "1h"),
          "1m",
          "time after which a silent connection is closed");
  public static final Key<Duration> ACK_TIMEOUT =
      KEYS.of(
          "edge.ack.timeout",
          duration("100ms", "1m"),
          "4s",
          "longest time until a request's readings are on disk; then it is answered with 503");
  public static final Key<Path> REJECTS_DIR =
      KEYS.unset(
          "edge.rejects.dir",
          directory(),
          "directory for refused lines as CSV files, 64 MiB together; default: none");
  public static final Key<SensorTemplate> INFLUX_SENSOR_ID =
      KEYS.of(
          "influx.sensor-id",
          new ValueType<>(
              "TEMPLATE",
              "text with {measurement}, {field}, {tag:NAME}, {series}, {db}, {rp}, {client} or"
                  + " {hash} in it",
              text -> SensorTemplate.parse(text, InfluxSettings.PARTS)),
          "{series} {field}",
          "sensor id of a field of line protocol over HTTP");
  public static final Key<MissingTime> INFLUX_MISSING_TIME =
      KEYS.of(
          "influx.missing.time",
          oneOf(MissingTime.class),
          "arrival",
          "time of a line without a timestamp: arrival sets the time of its arrival, so that a"
              + " repeat counts twice; refuse refuses the line");
  public static final Key<List<String>> INFLUX_DATABASES =
      KEYS.of(
          "influx.databases",
          new ValueType<>(
              "NAME,...", "names separated by commas", text -> List.of(text.split(",", -1))),
          "_internal,weir",
          "names that SHOW DATABASES answers");

  public static final Key<SensorTemplate> REMOTE_WRITE_SENSOR_ID =
      KEYS.of(
          "remote-write.sensor-id",
          new ValueType<>(
              "TEMPLATE",
              "text with {name}, {label:NAME}, {series}, {client} or {hash} in it",
              text -> SensorTemplate.parse(text, RemoteWriteSettings.PARTS)),
          "{series}",
          "sensor id of a series of Prometheus remote write");
  public static final Key<NonFinite> REMOTE_WRITE_NON_FINITE =
      KEYS.of(
          "remote-write.non-finite",
          oneOf(NonFinite.class),
          "skip",
          "what happens to samples that are NaN or infinite: skip counts them as written, refuse"
              + " refuses them; markers of stale series are always skipped");
  public static final Key<Histograms> REMOTE_WRITE_HISTOGRAMS =
      KEYS.of(
          "remote-write.histograms",
          oneOf(Histograms.class),
          "count-sum",
          "what happens to native histograms: count-sum takes their count and sum as the series"
              + " NAME_count and NAME_sum, drop skips them");

  public static final Key<SensorTemplate> OTLP_SENSOR_ID =
      KEYS.of(
          "otlp.sensor-id",
          new ValueType<>(
              "TEMPLATE",
              "text with {name}, {attr:NAME}, {resource:NAME}, {scope}, {unit}, {series}, {client}"
                  + " or {hash} in it",
              text -> SensorTemplate.parse(text, OtlpSettings.PARTS)),
          "{series}",
          "sensor id of a point of OpenTelemetry's metrics");
  public static final Key<Set<String>> OTLP_RESOURCE =
      KEYS.of(
          "otlp.resource",
          new ValueType<>(
              "NAME,...", "names separated by commas", text -> Set.of(text.split(",", -1))),
          "service.name,service.namespace,service.instance.id,host.name,device.id",
          "attributes of a resource that are labels in {series}");
  public static final Key<Histograms> OTLP_HISTOGRAMS =
      KEYS.of(
          "otlp.histograms",
          oneOf(Histograms.class),
          "count-sum",
          "what happens to histograms and summaries: count-sum takes NAME.count and NAME.sum, and"
              + " of deltas NAME.min and NAME.max; drop skips them");

  public static final List<Key<?>> ALL = KEYS.all();

  private InputKeys() {}
}

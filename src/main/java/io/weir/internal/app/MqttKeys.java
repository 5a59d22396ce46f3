package io.weir.internal.app;

import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.file;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.oneOf;
import static io.weir.internal.app.ValueType.text;
import static io.weir.internal.app.ValueType.wholeNumber;

import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.mqtt.MessageMapping;
import io.weir.internal.input.mqtt.MqttBroker;
import io.weir.internal.input.mqtt.MqttSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The settings of weir edge's input from an MQTT broker: a part of the catalogue {@link Keys}. */
public final class MqttKeys {
  private static final Key.Group KEYS = new Key.Group();

  private static final int MIB = 1 << 20;

  public static final Key<List<URI>> URL =
      KEYS.unset(
          "mqtt.url",
          new ValueType<>(
              "URL,...",
              "mqtt://HOST:PORT or mqtts://HOST:PORT, several separated by commas",
              text -> Arrays.stream(text.split(",", -1)).map(MqttBroker::server).toList()),
          "MQTT brokers that weir edge reads from, tried in turn");
  public static final Key<List<String>> TOPICS =
      KEYS.unset(
          "mqtt.topics",
          new ValueType<>(
              "FILTER,...",
              "filters of topics such as plant/+/#, separated by commas",
              text -> Arrays.stream(text.split(",", -1)).map(MqttSettings::filter).toList()),
          "filters of the topics to read");
  public static final Key<MqttBroker.Version> VERSION =
      KEYS.of(
          "mqtt.version",
          oneOf(MqttBroker.Version.class),
          "auto",
          "version of MQTT: v5, v3 for 3.1.1, or auto for 5 and 3.1.1 where the broker refuses 5");
  public static final Key<String> CLIENT_ID =
      KEYS.unset(
          "mqtt.client.id",
          text(200),
          "names the session at the broker; default: weir- and weir.gateway.id");
  public static final Key<String> USER = KEYS.unset("mqtt.user", text(255), "user at the broker");
  public static final Key<String> PASSWORD =
      KEYS.unset(
          "mqtt.password",
          text(255),
          "password of the user; prefer a file, named by WEIR_MQTT_PASSWORD_FILE");
  public static final Key<Path> TLS_CA =
      KEYS.unset(
          "mqtt.tls.ca",
          file(),
          "certificates in PEM that sign the broker's; default: those of the JVM");
  public static final Key<Path> TLS_CERT =
      KEYS.unset("mqtt.tls.cert", file(), "certificate of the edge in PEM");
  public static final Key<Path> TLS_KEY =
      KEYS.unset("mqtt.tls.key", file(), "private key of weir.mqtt.tls.cert in PEM (PKCS #8)");
  public static final Key<Duration> SESSION_EXPIRY =
      KEYS.of(
          "mqtt.session.expiry",
          duration("0s", "365d"),
          "7d",
          "how long the broker keeps messages for an absent edge; 0s for none");
  public static final Key<Duration> KEEP_ALIVE =
      KEYS.of(
          "mqtt.keep.alive",
          duration("5s", "18h"),
          "30s",
          "longest silence of a connection before it counts as dead");
  public static final Key<Retained> RETAINED =
      KEYS.of(
          "mqtt.retained",
          oneOf(Retained.class),
          "skip",
          "what happens to retained messages, which come again with each subscription: skip or"
              + " take");
  public static final Key<Boolean> SHARE =
      KEYS.of(
          "mqtt.share",
          flag(),
          "false",
          "allows filters with $share/, for a broker that gives all messages of a topic to the same"
              + " member");
  public static final Key<MqttSettings.Payload> PAYLOAD =
      KEYS.of(
          "mqtt.payload",
          oneOf(MqttSettings.Payload.class),
          "auto",
          "form of messages: number, json, csv with a header, line for line protocol, or auto");
  public static final Key<SensorTemplate> SENSOR_ID =
      KEYS.unset(
          "mqtt.sensor-id",
          new ValueType<>(
              "TEMPLATE",
              "text with {topic}, {topic:N}, {topic:N-}, {column}, {path:$.a}, {client}, {hash} and"
                  + " the parts of weir.influx.sensor-id in it",
              text -> SensorTemplate.parse(text, MqttSettings.PARTS)),
          "sensor id of a number of a message; default: {topic}, {topic}/{column} of JSON, and"
              + " weir.influx.sensor-id of lines");
  public static final Key<List<MessageMapping>> MAPPING =
      KEYS.unset(
          "mqtt.mapping",
          new ValueType<>(
              "[FILTER=]FILE,...",
              "mapping files in YAML for JSON messages, each alone or behind a filter and =",
              text -> Arrays.stream(text.split(",", -1)).map(MessageMapping::parse).toList()),
          "mapping files for JSON messages, for all topics or for those of a filter; the first that"
              + " fits counts");
  public static final Key<Long> MAX_PENDING_BYTES =
      KEYS.of(
          "mqtt.max.pending.bytes",
          wholeNumber("BYTES", MIB, 16L << 30),
          Integer.toString(64 * MIB),
          "memory of messages whose readings are not on disk yet; beyond it the edge reads nothing"
              + " from the broker until there is room");

  public static final List<Key<?>> ALL = KEYS.all();

  private MqttKeys() {}

  /** What happens to retained messages. */
  public enum Retained {
    SKIP,
    TAKE
  }

  /** The settings, if there is a broker. */
  static Optional<MqttSettings> of(Settings settings) {
    Optional<List<URI>> servers = settings.find(URL);
    if (servers.isEmpty() || settings.find(TOPICS).isEmpty() && SparkplugKeys.any(settings)) {
      return Optional.empty();
    }
    List<String> filters =
        settings
            .find(TOPICS)
            .orElseThrow(
                () ->
                    settings.refusal(URL, "expected: weir.mqtt.topics beside it, such as plant/#"));
    if (!settings.get(SHARE) && filters.stream().anyMatch(each -> each.startsWith("$share/"))) {
      throw settings.refusal(
          TOPICS,
          "expected: no $share/, or weir.mqtt.share=true where the broker gives all messages of a"
              + " topic to the same member");
    }
    Path spool = settings.find(EdgeKeys.SPOOL_DIR).orElse(Path.of(""));
    return Optional.of(
        new MqttSettings(
            broker(settings, servers.get(), "", settings.get(SESSION_EXPIRY)),
            filters,
            settings.get(RETAINED) == Retained.TAKE,
            settings.get(PAYLOAD),
            settings.find(SENSOR_ID),
            settings.find(MAPPING).orElse(List.of()),
            settings.get(MAX_PENDING_BYTES),
            spool.resolve("mqtt-filters")));
  }

  /**
   * How to connect.
   *
   * @param suffix of the client id
   */
  static MqttBroker broker(
      Settings settings, List<URI> servers, String suffix, Duration sessionExpiry) {
    Optional<Path> certificate = settings.find(TLS_CERT);
    Optional<Path> key = settings.find(TLS_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      throw settings.refusal(
          TLS_CERT, "expected: weir.mqtt.tls.cert and weir.mqtt.tls.key, or neither");
    }
    String gateway = settings.find(EdgeKeys.GATEWAY_ID).orElse("");
    return new MqttBroker(
        servers,
        settings.get(VERSION),
        settings.find(CLIENT_ID).orElse("weir-" + gateway) + suffix,
        settings
            .find(USER)
            .map(user -> new MqttBroker.Login(user, settings.find(PASSWORD).orElse(""))),
        new MqttBroker.Tls(settings.find(TLS_CA), certificate, key),
        sessionExpiry,
        settings.get(KEEP_ALIVE));
  }
}

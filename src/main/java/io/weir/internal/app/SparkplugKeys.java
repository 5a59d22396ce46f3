package io.weir.internal.app;

import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.oneOf;

import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.mqtt.MqttBroker;
import io.weir.internal.input.sparkplug.SparkplugSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The settings of weir edge's input from edge nodes of Sparkplug B: a part of {@link Keys}. */
public final class SparkplugKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<List<URI>> URL =
      KEYS.unset(
          "sparkplug.url",
          new ValueType<>(
              "URL,...",
              "mqtt://HOST:PORT or mqtts://HOST:PORT, several separated by commas",
              text -> Arrays.stream(text.split(",", -1)).map(MqttBroker::server).toList()),
          "MQTT brokers of Sparkplug edge nodes, tried in turn; default: weir.mqtt.url, if groups"
              + " or a host id are set. User, password, certificates and version are those of"
              + " weir.mqtt");
  public static final Key<List<String>> GROUPS =
      KEYS.unset(
          "sparkplug.groups",
          new ValueType<>(
              "GROUP,...",
              "groups of Sparkplug edge nodes, separated by commas",
              text -> Arrays.stream(text.split(",", -1)).map(SparkplugSettings::level).toList()),
          "groups of edge nodes to read; default: all");
  public static final Key<String> HOST_ID =
      KEYS.unset(
          "sparkplug.host.id",
          new ValueType<>("ID", "a text without / + #", SparkplugKeys::hostId),
          "host id for which the edge publishes in STATE whether it is online; edge nodes with this"
              + " primary host keep their data while it is offline");
  public static final Key<Boolean> REBIRTH =
      KEYS.of(
          "sparkplug.rebirth",
          flag(),
          "true",
          "requests a rebirth from an edge node if one of its messages may be missing");
  public static final Key<Births> BIRTHS =
      KEYS.of(
          "sparkplug.births",
          oneOf(Births.class),
          "take",
          "what happens to the values in births: take or skip");
  public static final Key<Integer> MAX_NODES =
      KEYS.of(
          "sparkplug.max.nodes",
          integer(1, 1_000_000),
          "10000",
          "maximum number of edge nodes; more are refused");
  public static final Key<Duration> REORDER_TIMEOUT =
      KEYS.of(
          "sparkplug.reorder.timeout",
          duration("0s", "60s"),
          "5s",
          "how long a message waits for a missing one before it");
  public static final Key<SensorTemplate> SENSOR_ID =
      KEYS.of(
          "sparkplug.sensor-id",
          new ValueType<>(
              "TEMPLATE",
              "text with {group}, {node}, {device}, {metric}, {client} or {hash} in it",
              text -> SensorTemplate.parse(text, SparkplugSettings.PARTS)),
          SparkplugSettings.DEFAULT_SENSOR_ID,
          "sensor id of a metric");

  public static final List<Key<?>> ALL = KEYS.all();

  private SparkplugKeys() {}

  /** What happens to the values in births. */
  public enum Births {
    TAKE,
    SKIP
  }

  private static String hostId(String text) {
    if (text.contains("+")) {
      throw new IllegalArgumentException(text);
    }
    return SparkplugSettings.level(text);
  }

  /** Whether edge nodes are read. */
  static boolean any(Settings settings) {
    return settings.find(URL).isPresent()
        || settings.find(GROUPS).isPresent()
        || settings.find(HOST_ID).isPresent();
  }

  /** The settings, if edge nodes are read. */
  static Optional<SparkplugSettings> of(Settings settings) {
    if (!any(settings)) {
      return Optional.empty();
    }
    List<URI> servers =
        settings
            .find(URL)
            .or(() -> settings.find(MqttKeys.URL))
            .orElseThrow(
                () ->
                    settings.refusal(
                        settings.find(GROUPS).isPresent() ? GROUPS : HOST_ID,
                        "expected: weir.sparkplug.url or weir.mqtt.url beside it"));
    return Optional.of(
        new SparkplugSettings(
            MqttKeys.broker(settings, servers, "-sparkplug", Duration.ZERO),
            settings.find(GROUPS).orElse(List.of("+")),
            settings.find(HOST_ID),
            settings.get(REBIRTH),
            settings.get(BIRTHS) == Births.TAKE,
            settings.get(MAX_NODES),
            settings.get(REORDER_TIMEOUT),
            settings.get(SENSOR_ID)));
  }
}

package io.weir.internal.input.sparkplug;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.mqtt.MqttBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A host without a broker, with a clock of the test. */
final class HostBench {
  static final long ARRIVAL_NANOS = 1_700_000_000_000_000_123L;
  static final int MAX_NODES = 5;

  final HeldSink sink = new HeldSink();
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final List<String> asked = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  final Memory memory;
  final SparkplugHost host;
  private long nanos = 1;

  HostBench() {
    this(true, 1 << 20);
  }

  HostBench(boolean takesBirths, long memoryBytes) {
    this(takesBirths, memoryBytes, 16_384);
  }

  /**
   * @param maxSensors new ones of a day in each partition
   */
  HostBench(boolean takesBirths, long memoryBytes, int maxSensors) {
    memory = new Memory(memoryBytes);
    InputMetrics metrics = new InputMetrics(registry);
    SparkplugMetrics own = new SparkplugMetrics(registry);
    SparkplugSettings settings = settings(takesBirths);
    Identities identities =
        new Identities(
            new IdentitySettings(false, 1 << 24, 0, IdentitySettings.Collisions.COUNT, maxSensors));
    host =
        new SparkplugHost(
            settings,
            new MetricReadings(
                new Intake(sink, identities, 256, Long.MAX_VALUE / 2),
                metrics,
                own,
                settings.sensorId(),
                () -> true),
            new Rebirths(true, own, asked::add),
            own,
            event ->
                events.add(
                    event.type() + " " + event.key() + " " + event.device() + " " + event.bdSeq()),
            memory,
            () -> nanos);
  }

  private static SparkplugSettings settings(boolean takesBirths) {
    return new SparkplugSettings(
        new MqttBroker(
            List.of(),
            MqttBroker.Version.AUTO,
            "test",
            Optional.empty(),
            new MqttBroker.Tls(Optional.empty(), Optional.empty(), Optional.empty()),
            Duration.ZERO,
            Duration.ofSeconds(30)),
        List.of("+"),
        Optional.empty(),
        true,
        takesBirths,
        MAX_NODES,
        Duration.ofSeconds(5),
        SensorTemplate.parse(SparkplugSettings.DEFAULT_SENSOR_ID, SparkplugSettings.PARTS));
  }

  HostBench send(String topic, PayloadBuilder payload) {
    return send(topic, payload.build());
  }

  HostBench send(String topic, byte[] body) {
    host.receive(new SparkplugMessage(SparkplugTopic.of("spBv1.0/" + topic), body, ARRIVAL_NANOS));
    return this;
  }

  /** Time goes on, looked at ten times a second. */
  HostBench wait(Duration time) {
    long end = nanos + time.toNanos();
    while (nanos < end) {
      nanos = Math.min(end, nanos + TimeUnit.MILLISECONDS.toNanos(100));
      host.tick();
    }
    return this;
  }

  double count(String name, String... tags) {
    return registry.find(name).tags(tags).counters().stream()
        .mapToDouble(each -> each.count())
        .sum();
  }

  double nodes(String state) {
    return registry.get(SparkplugMetrics.NODES).tag("state", state).gauge().value();
  }
}

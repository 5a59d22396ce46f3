package io.weir.internal.input.mqtt;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** The metrics of the session; those of readings are with the other inputs. Thread-safe. */
public final class MqttMetrics {
  public static final String CONNECTED = "weir.mqtt.connected";
  public static final String MESSAGES = "weir.mqtt.messages";
  public static final String PENDING = "weir.mqtt.pending";
  public static final String RECONNECTS = "weir.mqtt.reconnects";
  public static final String SESSIONS_LOST = "weir.mqtt.sessions.lost";
  public static final String UNREADABLE = "weir.mqtt.unreadable";
  public static final String RETAINED = "weir.mqtt.retained";

  private final MeterRegistry registry;
  private final Counter[] messages = new Counter[3];
  private final Counter reconnects;
  private final Counter sessionsLost;
  private final Counter unreadable;
  private final Counter retained;

  public MqttMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (int qos = 0; qos < messages.length; qos++) {
      messages[qos] =
          Counter.builder(MESSAGES).tag("qos", Integer.toString(qos)).register(registry);
    }
    reconnects = registry.counter(RECONNECTS);
    sessionsLost = registry.counter(SESSIONS_LOST);
    unreadable = registry.counter(UNREADABLE);
    retained = registry.counter(RETAINED);
  }

  void show(
      MqttInput input, ToDoubleFunction<MqttInput> connected, ToDoubleFunction<MqttInput> pending) {
    Gauge.builder(CONNECTED, input, connected).register(registry);
    Gauge.builder(PENDING, input, pending).register(registry);
  }

  void message(int qos) {
    messages[qos].increment();
  }

  void reconnect() {
    reconnects.increment();
  }

  void sessionLost() {
    sessionsLost.increment();
  }

  void unreadable() {
    unreadable.increment();
  }

  void retained() {
    retained.increment();
  }
}

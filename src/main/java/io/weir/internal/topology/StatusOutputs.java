package io.weir.internal.topology;

import io.weir.internal.alarm.Alarm;
import io.weir.internal.alarm.AlarmTransition;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.KeptStatus;
import io.weir.internal.alarm.StatusSink;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.reading.OwnSequences;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.Event;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The ways out of a task for status and alarms, inside its transaction. Alarms of one record go
 * together, a batch for each partition of the events. Called by the task's thread.
 */
final class StatusOutputs implements StatusSink {
  /** With the longest names a batch stays below a record's limit. */
  private static final int MOST_EVENTS = 400;

  /** Transitions with one record that are all events; beyond, only the last of an alarm is. */
  private static final int MOST_TRANSITIONS = 1_000;

  private static final byte[] NO_KEY = {};

  private final ProcessorContext<byte[], Outgoing> context;
  private final int partition;
  private final GroupTemplate groups;

  /** Null where the topic of status is off. */
  private final ValueFormat.Writer statusWriter;

  /** Null where there are no events. */
  private final OwnBatches own;

  private final Measures measures;
  private final Runnable emitted;
  private final Map<Integer, EventBatchEncoder> events = new TreeMap<>();
  private int transitions;

  /** The sensor of the newest transition. */
  private SensorWindows sensor;

  /** Its last transitions beyond the limit, by rule and level. */
  private final Map<String, Last> held = new LinkedHashMap<>();

  private long timestampMs;

  private static final class Last {
    Event event;
    int leftOut = -1;
  }

  /**
   * @param rules have the keys with which alarms are signed
   * @param sequences of what the task sends
   * @param emitted is run for each record that goes out
   */
  StatusOutputs(
      ProcessorContext<byte[], Outgoing> context,
      TopologySettings settings,
      SenderRules rules,
      OwnSequences sequences,
      Measures measures,
      Runnable emitted) {
    this.context = context;
    this.emitted = emitted;
    this.partition = context.taskId().partition();
    this.groups = settings.status().group();
    this.statusWriter =
        settings.sendsStatus()
            ? settings
                .values()
                .writer(settings.topics().of(Topic.STATUS), SensorStatus.getDefaultInstance())
            : null;
    this.own =
        settings.sendsAlarms()
            ? new OwnBatches(
                context, settings.topics().of(Topic.EVENTS), sequences, rules, settings.values())
            : null;
    this.measures = measures;
  }

  /** Sets the timestamp that records carry from now on; LogAppendTime replaces it. */
  void at(long recordTimestampMs) {
    timestampMs = recordTimestampMs;
    if (own != null) {
      own.begin(recordTimestampMs);
    }
  }

  @Override
  public void status(SensorWindows sensor, KeptStatus status) {
    SensorStatus.Builder message =
        SensorStatus.newBuilder()
            .setSensorId(sensor.name())
            .setState(SensorState.forNumber(status.state().number()))
            .setSinceMs(status.sinceMs())
            .setLastTimestampMs(sensor.isAwake() ? sensor.watermarkMs() : status.lastTimestampMs())
            .setGatewayId(status.gatewayId());
    for (Alarm alarm : status.alarms()) {
      if (alarm.sinceMs() != Alarm.NONE) {
        message.addAlarms(
            AlarmState.newBuilder()
                .setRule(alarm.rule())
                .setActive(alarm.isActive())
                .setSinceMs(alarm.sinceMs())
                .setValue(alarm.value())
                .setPriority(alarm.priority())
                .setLevel(alarm.level().text()));
      }
    }
    Headers headers = new RecordHeaders();
    byte[] value = statusWriter.write(message.build().toByteArray(), headers);
    forward(WeirTopology.STATUS_SINK, sensor.id(), new Outgoing(partition, value), headers);
    measures.status(status.state());
  }

  @Override
  public void gone(SensorWindows sensor) {
    forward(
        WeirTopology.STATUS_SINK, sensor.id(), new Outgoing(partition, null), new RecordHeaders());
  }

  @Override
  public void transitioned(SensorWindows of, AlarmTransition transition) {
    Alarm alarm = transition.alarm();
    measures.alarm(alarm.priority(), alarm.isActive());
    if (own == null) {
      return;
    }
    if (of != sensor) {
      sendHeld();
      sensor = of;
    }
    Event event = AlarmEvents.of(groups.groupOf(of.name()), of.name(), transition);
    if (++transitions <= MOST_TRANSITIONS) {
      send(event);
    } else {
      Last last = held.computeIfAbsent(alarm.rule() + ' ' + alarm.level(), unknown -> new Last());
      last.event = event;
      last.leftOut++;
    }
  }

  /** One sensor at a time, so that few are held. */
  private void sendHeld() {
    for (Last last : held.values()) {
      send(last.leftOut == 0 ? last.event : AlarmEvents.afterOthers(last.event, last.leftOut));
    }
    held.clear();
  }

  private void send(Event event) {
    int target = SensorPartition.of(event.getKey());
    EventBatchEncoder batch = events.computeIfAbsent(target, p -> new EventBatchEncoder());
    batch.add(event.toByteArray());
    if (batch.events() >= MOST_EVENTS) {
      send(target, events.remove(target));
    }
  }

  /** All of a record was applied: sends its events. */
  void endRecord() {
    sendHeld();
    sensor = null;
    transitions = 0;
    if (!events.isEmpty()) {
      events.forEach(this::send);
      events.clear();
    }
  }

  private void send(int target, EventBatchEncoder batch) {
    Headers headers = new RecordHeaders();
    byte[] value = own.next(batch, target, headers);
    forward(WeirTopology.EVENTS_SINK, NO_KEY, new Outgoing(target, value), headers);
  }

  private void forward(String sink, byte[] key, Outgoing value, Headers headers) {
    context.forward(new Record<>(key, value, timestampMs, headers), sink);
    emitted.run();
  }

  /** A transition of an alarm, as an event. */
  static final class AlarmEvents {
    /** The type of these events. */
    static final String TYPE = "alarm";

    private AlarmEvents() {}

    /**
     * The event. Its time is that of the transition.
     *
     * @param group its key
     */
    static Event of(String group, String sensorId, AlarmTransition transition) {
      Alarm alarm = transition.alarm();
      Event.Builder event =
          Event.newBuilder()
              .setKey(group)
              .setSubject(sensorId)
              .setType(TYPE)
              .setTimestampMs(alarm.sinceMs())
              .putFields("rule", text(alarm.rule()))
              .putFields("level", text(alarm.level().text()))
              .putFields("active", Value.newBuilder().setBoolValue(alarm.isActive()).build())
              .putFields("cause", text(transition.cause().text()))
              .putFields("value", number(alarm.value()))
              .putFields("priority", whole(alarm.priority()));
      if (!Double.isNaN(transition.limit())) {
        event.putFields("limit", number(transition.limit()));
      }
      if (transition.windowStartMs() != Alarm.NONE) {
        event.putFields("window_start_ms", whole(transition.windowStartMs()));
      }
      return event.build();
    }

    /** The same event, after others of the alarm that are left out. */
    static Event afterOthers(Event event, int leftOut) {
      return event.toBuilder().putFields("left_out", whole(leftOut)).build();
    }

    private static Value whole(long number) {
      return Value.newBuilder().setInt64Value(number).build();
    }

    private static Value text(String text) {
      return Value.newBuilder().setStringValue(text).build();
    }

    private static Value number(double number) {
      return Value.newBuilder().setDoubleValue(number).build();
    }
  }
}

package io.weir.internal.topology;

import io.weir.internal.alarm.Alarm;
import io.weir.internal.alarm.AlarmTransition;
import io.weir.v1.Event;
import io.weir.v1.Value;

/** A transition of an alarm, as an event. */
final class AlarmEvents {
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
            .putFields("priority", Value.newBuilder().setInt64Value(alarm.priority()).build());
    if (!Double.isNaN(transition.limit())) {
      event.putFields("limit", number(transition.limit()));
    }
    if (transition.windowStartMs() != Alarm.NONE) {
      event.putFields(
          "window_start_ms", Value.newBuilder().setInt64Value(transition.windowStartMs()).build());
    }
    return event.build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setDoubleValue(number).build();
  }
}

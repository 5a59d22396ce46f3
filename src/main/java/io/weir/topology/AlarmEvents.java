package io.weir.topology;

import io.weir.alarm.Alarm;
import io.weir.alarm.AlarmTurn;
import io.weir.v1.Event;
import io.weir.v1.Value;

/** An alarm that turned, as an event. */
final class AlarmEvents {
  /** The type of these events. */
  static final String TYPE = "alarm";

  private AlarmEvents() {}

  /**
   * The event. Its time is that of the turn.
   *
   * @param group its key
   */
  static Event of(String group, String sensorId, AlarmTurn turn) {
    Alarm alarm = turn.alarm();
    Event.Builder event =
        Event.newBuilder()
            .setKey(group)
            .setSubject(sensorId)
            .setType(TYPE)
            .setTimestampMs(alarm.sinceMs())
            .putFields("rule", text(alarm.rule()))
            .putFields("level", text(alarm.level().text()))
            .putFields("active", Value.newBuilder().setBoolValue(alarm.isActive()).build())
            .putFields("cause", text(turn.cause().text()))
            .putFields("value", number(alarm.value()))
            .putFields("priority", Value.newBuilder().setInt64Value(alarm.priority()).build());
    if (!Double.isNaN(turn.limit())) {
      event.putFields("limit", number(turn.limit()));
    }
    if (turn.windowStartMs() != Alarm.NONE) {
      event.putFields(
          "window_start_ms", Value.newBuilder().setInt64Value(turn.windowStartMs()).build());
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

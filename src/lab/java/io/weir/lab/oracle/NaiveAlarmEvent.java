package io.weir.lab.oracle;

import io.weir.v1.Event;
import io.weir.v1.Value;

/**
 * The event of an alarm that became active or cleared, put together as the documentation says. One
 * thread.
 */
final class NaiveAlarmEvent {
  /** Of all events of alarms, and of no others that a run sends. */
  static final String TYPE = "alarm";

  private final Event.Builder event;

  NaiveAlarmEvent(String group, String sensorId, long atMs) {
    event =
        Event.newBuilder().setKey(group).setSubject(sensorId).setType(TYPE).setTimestampMs(atMs);
  }

  void text(String field, String text) {
    event.putFields(field, Value.newBuilder().setStringValue(text).build());
  }

  void active(boolean isActive) {
    event.putFields("active", Value.newBuilder().setBoolValue(isActive).build());
  }

  /** Nothing for null. */
  void number(String field, Double number) {
    if (number != null) {
      event.putFields(field, Value.newBuilder().setDoubleValue(number).build());
    }
  }

  /** Nothing for null. */
  void integer(String field, Long integer) {
    if (integer != null) {
      event.putFields(field, Value.newBuilder().setInt64Value(integer).build());
    }
  }

  Event build() {
    return event.build();
  }
}

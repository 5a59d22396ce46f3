package io.weir.lab.cli.demo;

import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Who is silent, which alarms are active, and what was folded, as it is on the topics. Safe for two
 * threads: one adds records, one looks.
 */
final class LiveEvents {
  private static final String ALARM = "alarm";

  private final Map<String, SensorState> states = new HashMap<>();
  private final Set<String> active = new HashSet<>();
  private long silent;
  private long events;
  private long folds;
  private String lastStatus = "";
  private String lastAlarm = "";
  private String lastFold = "";

  /**
   * What there is to see.
   *
   * @param silent sensors that are silent now
   * @param active alarms that are active now
   * @param events on the topic of events
   * @param folds of them, so far
   * @param lastStatus the newest record in words; empty where there is none, as are the other two
   */
  record View(
      long silent,
      long active,
      long events,
      long folds,
      String lastStatus,
      String lastAlarm,
      String lastFold) {
    static final View NONE = new View(0, 0, 0, 0, "", "", "");
  }

  synchronized void add(SensorStatus status) {
    SensorState state = status.getState();
    SensorState before = states.put(status.getSensorId(), state);
    silent += (isSilent(state) ? 1 : 0) - (isSilent(before) ? 1 : 0);
    if (state != before && before != null) {
      lastStatus = status.getSensorId() + " " + name(state);
    }
  }

  private static boolean isSilent(SensorState state) {
    return state == SensorState.SENSOR_STATE_SILENT;
  }

  private static String name(SensorState state) {
    return state.name().substring("SENSOR_STATE_".length());
  }

  synchronized void add(EventBatch batch) {
    events += batch.getEventsCount();
    batch.getEventsList().stream()
        .filter(event -> event.getType().equals(ALARM))
        .forEach(this::add);
  }

  private void add(Event alarm) {
    String rule = alarm.getFieldsOrThrow("rule").getStringValue();
    String level = alarm.getFieldsOrThrow("level").getStringValue();
    boolean isActive = alarm.getFieldsOrThrow("active").getBoolValue();
    String name = rule + " " + level + " " + alarm.getSubject();
    if (isActive) {
      active.add(name);
    } else {
      active.remove(name);
    }
    double value = alarm.getFieldsOrThrow("value").getDoubleValue();
    lastAlarm =
        rule
            + (isActive ? " ACTIVE " : " CLEARED ")
            + alarm.getSubject()
            + String.format(Locale.ROOT, " at %.1f", value);
  }

  synchronized void add(FoldedEvent fold) {
    folds++;
    long count = fold.getEventCount();
    lastFold = fold.getKey() + ", " + count + (count == 1 ? " event, " : " events, ");
    lastFold += fold.getReason().name().replaceFirst("^FOLD_REASON_", "");
  }

  synchronized View view() {
    return new View(silent, active.size(), events, folds, lastStatus, lastAlarm, lastFold);
  }
}

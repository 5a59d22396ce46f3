package io.weir.internal.alarm;

import io.weir.internal.alarm.AlarmTransition.Cause;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WindowSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Updates the sensors whose stored status is from other settings, in the order of their ids. Not
 * safe for several threads.
 */
final class StatusReview {
  private final StatusPlan plan;
  private final PartitionTime time;
  private final StatusTransitions transitions;
  private final BiConsumer<SensorWindows, KeptStatus> awaitSilence;

  /** Waiting sensors; the next one is last. */
  private final List<SensorWindows> waiting = new ArrayList<>();

  /**
   * @param awaitSilence called for an awake sensor whose silence alarm ended
   */
  StatusReview(
      StatusPlan plan,
      PartitionTime time,
      StatusTransitions transitions,
      BiConsumer<SensorWindows, KeptStatus> awaitSilence) {
    this.plan = plan;
    this.time = time;
    this.transitions = transitions;
    this.awaitSilence = awaitSilence;
  }

  /** Adds a restored sensor, if its status is outdated by the settings. */
  void addIfOutdated(SensorWindows sensor, KeptStatus status) {
    if (status.state() == SensorState.UNKNOWN
        || (plan.sendsStatus() && !status.isPublished())
        || status.hasOutdatedAlarms()) {
      waiting.add(sensor);
    }
  }

  /** Adds a sensor. */
  void add(SensorWindows sensor) {
    waiting.add(sensor);
  }

  /** To be called after all sensors were added. */
  void sort() {
    waiting.sort(Comparator.comparing(SensorWindows::id, Arrays::compareUnsigned).reversed());
  }

  /**
   * Reviews sensors.
   *
   * @param most maximum number
   * @return number of reviewed sensors
   */
  int run(int most) {
    int done = 0;
    while (done < most && !waiting.isEmpty()) {
      review(waiting.remove(waiting.size() - 1));
      done++;
    }
    return done;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void clear() {
    waiting.clear();
  }

  private void review(SensorWindows sensor) {
    if (!(sensor.extension() instanceof KeptStatus status)) {
      return;
    }
    for (Alarm alarm : List.copyOf(status.alarms())) {
      if (alarm.isOutdated()) {
        review(sensor, status, alarm);
      }
    }
    if (!plan.isOn()) {
      sensor.extension(null);
      transitions.gone(sensor, status);
      return;
    }
    if (status.state() == SensorState.UNKNOWN) {
      transitions.enter(sensor, status, stateOf(sensor));
    } else if (plan.sendsStatus() && !status.isPublished()) {
      transitions.sendLater(sensor, status);
    }
  }

  /** The state of a sensor without a stored state. */
  private SensorState stateOf(SensorWindows sensor) {
    if (!sensor.isAwake()) {
      return SensorState.FINISHED;
    }
    long silentFromMs = WindowSpec.saturatedSum(sensor.lastActiveMs(), plan.silentAfterMs());
    return silentFromMs <= time.logMs() ? SensorState.SILENT : SensorState.STARTED;
  }

  private void review(SensorWindows sensor, KeptStatus status, Alarm alarm) {
    if (alarm.condition() == null) {
      dropRule(sensor, status, alarm);
    } else {
      changeRule(sensor, status, alarm);
    }
    transitions.changed(sensor, status);
    transitions.sendLater(sensor, status);
  }

  private void dropRule(SensorWindows sensor, KeptStatus status, Alarm alarm) {
    if (alarm.isActive()) {
      Cause cause = plan.rules().has(alarm.rule()) ? Cause.RULE_CHANGED : Cause.RULE_REMOVED;
      transitions.clear(sensor, status, alarm, cause);
    }
    status.remove(alarm);
  }

  /** The silence of an expired sensor is not measured, so its alarm stays active. */
  private boolean stillHolds(SensorWindows sensor, Alarm alarm) {
    if (alarm.level() != Level.SILENT) {
      return alarm.condition().stillHolds(alarm.value());
    }
    return !sensor.isAwake() || alarm.condition().stillHolds(time.logMs() - sensor.lastActiveMs());
  }

  private void changeRule(SensorWindows sensor, KeptStatus status, Alarm alarm) {
    int priority = alarm.priority();
    boolean changed = alarm.update();
    if (alarm.isActive()) {
      transitions.counts().transitioned(priority, false);
      transitions.counts().transitioned(alarm.priority(), true);
      if (changed && !stillHolds(sensor, alarm)) {
        transitions.clear(sensor, status, alarm, Cause.RULE_CHANGED);
        if (sensor.isAwake()) {
          awaitSilence.accept(sensor, status);
        }
      }
    } else if (alarm.isBlank()) {
      status.remove(alarm);
    }
  }
}

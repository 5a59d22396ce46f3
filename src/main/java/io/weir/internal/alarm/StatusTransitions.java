package io.weir.internal.alarm;

import io.weir.internal.alarm.AlarmTransition.Cause;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.SensorWindows;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies transitions of the sensors' states and alarms: counts them, collects changes to write,
 * sends an alarm's transition immediately, and a sensor's status once at the end of the record. Not
 * safe for several threads.
 */
final class StatusTransitions implements AlarmJudge.Transitions {
  private final boolean sendsStatus;
  private final PartitionTime time;
  private final StatusChanges changes = new StatusChanges();
  private final StatusCounts counts = new StatusCounts();

  /** Sensors whose status changed with the current record. */
  private final List<SensorWindows> toSend = new ArrayList<>();

  private StatusSink sink;

  StatusTransitions(boolean sendsStatus, PartitionTime time) {
    this.sendsStatus = sendsStatus;
    this.time = time;
  }

  void sendTo(StatusSink statusSink) {
    sink = statusSink;
  }

  StatusChanges changes() {
    return changes;
  }

  StatusCounts counts() {
    return counts;
  }

  @Override
  public void changed(SensorWindows sensor, KeptStatus status) {
    changes.touched(sensor, status);
  }

  @Override
  public void baselineGrew(SensorWindows sensor, KeptStatus status) {
    changes.baselinesTouched(sensor, status);
  }

  @Override
  public void transitioned(SensorWindows sensor, KeptStatus status, AlarmTransition transition) {
    counts.transitioned(transition.alarm().priority(), transition.alarm().isActive());
    changes.touched(sensor, status);
    sink.transitioned(sensor, transition);
    sendLater(sensor, status);
  }

  /** Clears an active alarm, with its current value. */
  void clear(SensorWindows sensor, KeptStatus status, Alarm alarm, Cause cause) {
    Condition condition = alarm.condition();
    boolean hasLimit = condition != null && condition.level() != Level.DEVIATION;
    double limit = hasLimit ? condition.limit() : Double.NaN;
    alarm.setActive(false, time.appendMs(), alarm.value());
    transitioned(sensor, status, new AlarmTransition(alarm, limit, Alarm.NONE, cause));
  }

  /** Changes the state of a sensor. */
  void enter(SensorWindows sensor, KeptStatus status, SensorState next) {
    if (status.isChangeToSend() && status.unmarkToSend()) {
      // The first of two changes within a record is sent too.
      toSend.remove(sensor);
      tell(sensor, status);
    }
    counts.transitioned(status.state(), next);
    status.enter(next, time.appendMs());
    changes.touched(sensor, status);
    sendLater(sensor, status);
  }

  /** Schedules the status to be sent at the end of the record. */
  void sendLater(SensorWindows sensor, KeptStatus status) {
    status.published(false);
    if (sendsStatus && status.markToSend()) {
      toSend.add(sensor);
    }
  }

  /** Removes a sensor. */
  void gone(SensorWindows sensor, KeptStatus status) {
    if (status.unmarkToSend()) {
      toSend.remove(sensor);
    }
    counts.removed(status);
    changes.purged(sensor, status);
    if (sendsStatus) {
      sink.gone(sensor);
    }
  }

  /** To be called after a record: sends the status of each changed sensor once. */
  void endRecord() {
    for (SensorWindows sensor : toSend) {
      if (sensor.extension() instanceof KeptStatus status && status.unmarkToSend()) {
        tell(sensor, status);
      }
    }
    toSend.clear();
  }

  private void tell(SensorWindows sensor, KeptStatus status) {
    if (status.state() != SensorState.UNKNOWN) {
      sink.status(sensor, status);
      status.published(true);
    }
  }

  /** Drops all state, written or not. */
  void clear() {
    toSend.clear();
    changes.clear();
    counts.clear();
  }
}

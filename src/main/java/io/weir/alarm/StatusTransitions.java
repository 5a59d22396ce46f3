package io.weir.alarm;

import io.weir.alarm.AlarmTransition.Cause;
import io.weir.window.PartitionTime;
import io.weir.window.SensorWindows;
import java.util.ArrayList;
import java.util.List;

/**
 * Transitions of the sensors' states and alarms: counts each, notes what is to be written, sends an
 * alarm's at once and a sensor's status once with the record that changed it. Not safe for several
 * threads.
 */
final class StatusTransitions implements AlarmJudge.Transitions {
  private final boolean sendsStatus;
  private final PartitionTime time;
  private final StatusChanges changes = new StatusChanges();
  private final StatusCounts counts = new StatusCounts();

  /** Sensors whose status changed with the record at hand. */
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

  /** An alarm that is active ends, with the value that it has. */
  void clear(SensorWindows sensor, KeptStatus status, Alarm alarm, Cause cause) {
    Condition condition = alarm.condition();
    boolean hasLimit = condition != null && condition.level() != Level.DEVIATION;
    double limit = hasLimit ? condition.limit() : Double.NaN;
    alarm.setActive(false, time.appendMs(), alarm.value());
    transitioned(sensor, status, new AlarmTransition(alarm, limit, Alarm.NONE, cause));
  }

  /** A sensor changes its state. */
  void enter(SensorWindows sensor, KeptStatus status, SensorState next) {
    if (status.isChangeToSend() && status.unmarkToSend()) {
      // A second change within one record: the first one is sent too.
      toSend.remove(sensor);
      tell(sensor, status);
    }
    counts.transitioned(status.state(), next);
    status.enter(next, time.appendMs());
    changes.touched(sensor, status);
    sendLater(sensor, status);
  }

  /** The status is to be sent at the end of the record. */
  void sendLater(SensorWindows sensor, KeptStatus status) {
    status.published(false);
    if (sendsStatus && status.markToSend()) {
      toSend.add(sensor);
    }
  }

  /** Nothing is kept of a sensor any more. */
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

  /** Called when a whole record is applied: sends the status of each sensor that changed, once. */
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

  /** Forgets everything at once, written or not. */
  void clear() {
    toSend.clear();
    changes.clear();
    counts.clear();
  }
}

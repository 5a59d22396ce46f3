package io.weir.alarm;

import io.weir.window.SensorWindows;

/** Where status and alarms go. */
public interface StatusSink {
  /** A sensor's state or one of its alarms turned; takes it as it is. */
  void status(SensorWindows sensor, KeptStatus status);

  /** An alarm turned. */
  void turned(SensorWindows sensor, AlarmTurn turn);

  /** Nothing is known of a sensor any more. */
  void gone(SensorWindows sensor);
}

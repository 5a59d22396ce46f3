package io.weir.alarm;

import io.weir.window.SensorWindows;

/** Where status and alarms go. */
public interface StatusSink {
  /** Nowhere. */
  StatusSink NONE =
      new StatusSink() {
        @Override
        public void status(SensorWindows sensor, KeptStatus status) {}

        @Override
        public void transitioned(SensorWindows sensor, AlarmTransition transition) {}

        @Override
        public void gone(SensorWindows sensor) {}
      };

  /** Takes each transition of a sensor's state and of its alarms, as it is now. */
  void status(SensorWindows sensor, KeptStatus status);

  /** An alarm became active or cleared. */
  void transitioned(SensorWindows sensor, AlarmTransition transition);

  /** Nothing is known of a sensor any more. */
  void gone(SensorWindows sensor);
}

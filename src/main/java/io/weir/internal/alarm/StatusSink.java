package io.weir.internal.alarm;

import io.weir.internal.window.SensorWindows;

/** Receives status and alarms. */
public interface StatusSink {
  /** Ignores all calls. */
  StatusSink NONE =
      new StatusSink() {
        @Override
        public void status(SensorWindows sensor, KeptStatus status) {}

        @Override
        public void transitioned(SensorWindows sensor, AlarmTransition transition) {}

        @Override
        public void gone(SensorWindows sensor) {}
      };

  /** Receives the current status of a sensor whose state or alarms changed. */
  void status(SensorWindows sensor, KeptStatus status);

  /** An alarm became active or cleared. */
  void transitioned(SensorWindows sensor, AlarmTransition transition);

  /** A sensor was removed from the state. */
  void gone(SensorWindows sensor);
}

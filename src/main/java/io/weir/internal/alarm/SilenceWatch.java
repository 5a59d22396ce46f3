package io.weir.internal.alarm;

import io.weir.internal.window.Deadlines;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WindowSpec;
import java.util.function.BiConsumer;

/**
 * Finds sensors without readings for a duration of log time. A reading costs nothing here. Not safe
 * for several threads.
 */
final class SilenceWatch {
  private final long afterMs;

  /** The bit of this watch in a sensor's status. */
  private final int bit;

  private final Deadlines deadlines;

  /**
   * @param number number of the watch, from 0 to 31
   */
  SilenceWatch(long afterMs, int number) {
    this.afterMs = afterMs;
    this.bit = 1 << number;
    this.deadlines =
        new Deadlines(
            afterMs,
            sensor ->
                sensor.isAwake()
                    ? WindowSpec.saturatedSum(sensor.lastActiveMs(), afterMs)
                    : Deadlines.NEVER);
  }

  long afterMs() {
    return afterMs;
  }

  /** Watches an awake sensor, unless it is watched already. */
  void await(SensorWindows sensor, KeptStatus status) {
    if (!status.awaits(bit)) {
      status.await(bit);
      deadlines.add(sensor);
    }
  }

  /**
   * Reports the sensors that have been silent for the duration.
   *
   * @param most maximum number
   * @return number of reported sensors
   */
  int report(PartitionTime time, int most, BiConsumer<SensorWindows, KeptStatus> silent) {
    int reported = 0;
    SensorWindows sensor;
    while (reported < most && (sensor = deadlines.poll(time.logMs())) != null) {
      if (sensor.extension() instanceof KeptStatus status) {
        status.awaitNoLonger(bit);
        silent.accept(sensor, status);
        reported++;
      }
    }
    return reported;
  }

  boolean isEmpty() {
    return deadlines.isEmpty();
  }

  void clear() {
    deadlines.clear();
  }
}

package io.weir.alarm;

import io.weir.window.Deadlines;
import io.weir.window.PartitionTime;
import io.weir.window.SensorWindows;
import io.weir.window.WindowSpec;
import java.util.function.BiConsumer;

/**
 * Sensors to check when no reading has come from them for one span of log time. A reading costs
 * nothing here. Not safe for several threads.
 */
final class SilenceWatch {
  private final long afterMs;

  /** Of this watch among a sensor's. */
  private final int bit;

  private final Deadlines deadlines;

  /**
   * @param number from 0 to 31, another one for each watch
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

  /** Looks at a sensor that is awake when it will have been silent, unless it does so already. */
  void await(SensorWindows sensor, KeptStatus status) {
    if (!status.awaits(bit)) {
      status.await(bit);
      deadlines.add(sensor);
    }
  }

  /**
   * Reports the sensors that have been silent for so long.
   *
   * @param most how many at the most
   * @return how many there were
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

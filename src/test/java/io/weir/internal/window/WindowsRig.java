package io.weir.internal.window;

import io.weir.reading.Columns;

/** The windows of a partition, fed by hand in log time, with what they emit. */
final class WindowsRig {
  private static final long STEP_MS = 30;
  private static final int SLICE = 1000;

  final Emissions emissions = new Emissions();
  final PartitionWindows windows;
  private final PartitionTime time = new PartitionTime(STEP_MS);

  WindowsRig(WindowSpec spec) {
    this.windows = new PartitionWindows(spec, WindowLimits.ofSensors(100));
  }

  void apply(long appendMs, Columns batch) {
    time.observe(appendMs);
    windows.apply(batch.build(), time.logMs(), emissions);
  }

  /** Lets time pass by records without readings. */
  void pass(long toMs) {
    while (time.appendMs() < toMs) {
      time.observe(Math.min(toMs, time.appendMs() + STEP_MS));
      windows.upkeep(time, SLICE, emissions);
    }
  }
}

package io.weir.internal.window;

import io.weir.reading.Columns;
import io.weir.reading.ReadingColumns;

/** The windows of a partition: of 10 ms, idle after 30 ms, forgotten after 1000 ms. */
abstract class PartitionWindowsFixture {
  static final long HOUR_MS = 3_600_000;
  final Emissions emissions = new Emissions();
  PartitionWindows windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(1_000));
  final PartitionTime time = new PartitionTime(30);

  /** Windows of 10 ms, idle after 30 ms, forgotten after 1000 ms, their marks after 5000 more. */
  static WindowSpec spec(long graceMs, long latenessMs) {
    return WindowSpec.of(10, graceMs, latenessMs, 30, WindowSpec.IdleRule.ENDED, 1000)
        .withMarkTtlMs(5000);
  }

  int apply(long appendMs, Columns batch) {
    return apply(appendMs, batch.build());
  }

  int apply(long appendMs, ReadingColumns batch) {
    time.observe(appendMs);
    return windows.apply(batch, time.logMs(), emissions);
  }

  /** A record without readings comes. */
  boolean upkeep(long appendMs) {
    time.observe(appendMs);
    return upkeep();
  }

  boolean upkeep() {
    return windows.upkeep(time, 1000, emissions);
  }

  /** Records without readings come, often enough for no silence to be cut. */
  void pass(long toMs) {
    while (time.appendMs() < toMs) {
      upkeep(Math.min(toMs, time.appendMs() + 30));
    }
  }

  static Columns of(String gateway, Columns batch) {
    return batch.gateway(gateway, 1, 1);
  }
}

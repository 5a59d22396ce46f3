package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.aggregate.SampleRoom;
import io.weir.internal.window.durable.WindowChanges;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleWatchTest {
  private final Emissions emissions = new Emissions();
  private final WindowChanges<SensorWindows> changes = new WindowChanges<>();
  private final PartitionTime time = new PartitionTime(30);

  /** Silent, until its window is emitted and its day waits, and speaking again, 100 times a day. */
  @Test
  void sensorThatIsSilentNowAndThen_waitsForTheEndOfItsRollupsOnce() {
    WindowSpec spec =
        WindowSpec.of(100, 5, 0, 30, WindowSpec.IdleRule.ENDED, 10_000)
            .with(RollupPlan.of(100, List.of(200L, 100_000L)));
    SensorTable sensors = new SensorTable();
    SensorOwners owners = new SensorOwners(10, new SampleRoom(1));
    IdleSensors silence = new IdleSensors(spec, sensors, owners, changes);
    SensorWindows sensor = sensors.findOrAdd(new byte[] {'a'}, 0, 1, 1);
    for (long nowMs = 100_000; nowMs < 199_000; nowMs += 10) {
      time.observe(nowMs);
      if (nowMs % 200 == 0) {
        boolean first = !sensor.isAwake();
        sensor.take(spec, nowMs, 1, 0, (s, window) -> {});
        sensor.endBatch(spec, time.logMs(), emissions, changes);
        silence.received(sensor, first);
      }
      silence.upkeep(time, 1000, emissions);
      assertThat(silence.ending()).isLessThan(2);
    }
    assertThat(emissions.brief()).hasSizeGreaterThan(400);
  }
}

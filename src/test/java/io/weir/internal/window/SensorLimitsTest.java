package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Columns;
import io.weir.reading.IdBytes;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** How many sensors a partition and a gateway may have, and how many windows a batch may open. */
class SensorLimitsTest extends PartitionWindowsFixture {
  @Test
  void moreSensorsThanAreKept_newOnesAreRefused_knownOnesAndOthersOfTheirBatchGoOn() {
    windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(2));
    apply(100, new Columns().row("a", 1, 1).row("b", 1, 1));
    ReadingColumns batch =
        new Columns().row("a", 2, 1).row("c", 2, 1).row("b", 2, 1).row("c", 3, 1).build();
    assertThat(apply(101, batch)).isZero();

    assertThat(windows.refused()).isEqualTo(2);
    assertThat(batch.verdict(1)).isEqualTo(Verdict.rejected(RejectReason.TOO_MANY_SENSORS));
    assertThat(windows.sensors()).isEqualTo(2);
    apply(102, new Columns().row("a", 20, 1));
    assertThat(windows.refused()).isZero();
    assertThat(emissions.brief()).containsExactly("a@0 EVENT_TIME r0 n2 bad0 sum2.0");
  }

  @Test
  void moreSensorsThanAGatewayMaySend_itsNewOnesAreRefused_othersSendTheirs() {
    windows = new PartitionWindows(spec(5, 0), new WindowLimits(1_000, 2, 1_000));
    apply(100, of("g", new Columns().row("a", 1, 1).row("b", 1, 1).row("c", 1, 1)));
    assertThat(windows.refused()).isEqualTo(1);
    apply(101, of("h", new Columns().row("c", 2, 1)));
    assertThat(windows.refused()).isZero();
    apply(102, of("g", new Columns().row("a", 3, 1).row("c", 3, 1)));
    assertThat(windows.refused()).isZero();
    assertThat(windows.owners().mostSensorsOfOne()).isEqualTo(2);
  }

  @Test
  void batchesWithoutBootId_areOfOneGateway_whateverTheyAreCalled() {
    windows = new PartitionWindows(spec(5, 0), new WindowLimits(1_000, 2, 1_000));
    for (String id : new String[] {"a", "b", "c"}) {
      apply(100, new Columns().gateway(id, 0, 0).row(id, 1, 1));
    }
    assertThat(windows.refused()).isEqualTo(1);
  }

  @Test
  void purgedSensor_makesRoomForItsGateway() {
    windows = new PartitionWindows(spec(5, 0), new WindowLimits(1_000, 1, 1_000));
    apply(100, of("g", new Columns().row("a", 95, 1)));
    pass(6099);
    apply(6099, of("g", new Columns().row("b", 6099, 1)));
    assertThat(windows.refused()).isEqualTo(1);
    pass(6100);
    apply(6101, of("g", new Columns().row("b", 6100, 1)));
    assertThat(windows.refused()).isZero();
  }

  @Test
  void windowsThatABatchWouldOpen_areCountedBeforehand() {
    windows = new PartitionWindows(spec(0, 0), new WindowLimits(1_000, 1_000, 3));
    apply(100, new Columns().row("a", 1, 1));
    Columns three = new Columns();
    for (int i = 0; i < 4; i++) {
      three.row("a", 1 + 10 * i, 1).row("b", 5, 1);
    }
    assertThat(opensTooMany(three.row("a", 15, 1))).as("a@10, a@20, a@30, b@0").isTrue();
    assertThat(
            opensTooMany(
                new Columns()
                    .row("a", 5, 1)
                    .row("b", 1, 1)
                    .row("b", 2, 1)
                    .row("b", 11, 1)
                    .row("a", 12, 1)))
        .as("b@0, b@10, a@10")
        .isFalse();
    assertThat(windows.sensors()).as("nothing changes").isEqualTo(1);
    apply(101, new Columns().row("a", 100, 1));
    assertThat(
            opensTooMany(
                new Columns().row("a", 1, 1).row("a", 11, 1).row("a", 21, 1).row("a", 31, 1)))
        .as("late readings open none")
        .isFalse();
  }

  private boolean opensTooMany(Columns columns) {
    ReadingColumns batch = columns.build();
    windows.recognise(batch);
    return windows.opensTooMany(batch, false);
  }

  /** The mark of a forgotten sensor keeps its place: it is what makes old readings late. */
  @Test
  void markThatWakesUp_isNoNewSensor() {
    windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(1));
    apply(100, new Columns().row("a", 95, 1));
    pass(2000);
    apply(2001, new Columns().row("b", 2000, 1));
    assertThat(windows.refused()).isEqualTo(1);
    apply(2002, new Columns().row("a", 2000, 1));
    assertThat(windows.refused()).isZero();
  }

  @Test
  void sensorsThatWereKept_arePutBack_howeverManyMayBe() {
    windows = new PartitionWindows(spec(5, 0), WindowLimits.ofSensors(1));
    for (String id : new String[] {"a", "b"}) {
      byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
      windows
          .restored(bytes, 0, 1, IdBytes.hash(bytes, 0, 1))
          .resume(90, 0, Long.MIN_VALUE, Long.MIN_VALUE, 90);
    }
    windows.resume();
    assertThat(windows.sensors()).isEqualTo(2);
    apply(100, new Columns().row("a", 95, 1).row("b", 95, 1));
    assertThat(windows.refused()).isZero();
  }
}

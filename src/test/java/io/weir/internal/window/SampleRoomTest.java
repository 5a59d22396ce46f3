package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How many samples the windows of a partition, and of one gateway, keep: here 80, and 10. */
class SampleRoomTest extends PartitionWindowsFixture {
  private static final int MOST = 80;

  private final List<String> lacking = new ArrayList<>();

  SampleRoomTest() {
    StatisticsPlan counters =
        StatisticsPlan.ofAll(Set.of(StatisticSet.COUNTER)).withMostOfPartition(MOST);
    windows = new PartitionWindows(spec(0, 20).with(counters), WindowLimits.ofSensors(1_000));
  }

  private long samples(String gateway) {
    long[] samples = new long[1];
    windows.forEach(
        sensor -> {
          for (int i = 0; sensor.name().startsWith(gateway) && i < sensor.windows(); i++) {
            samples[0] += sensor.window(i).samples().size();
            if (sensor.window(i).statistics().samplesOverflowed()) {
              lacking.add(sensor.name());
            }
          }
        });
    return samples[0];
  }

  /** Readings of a sensor of its gateway in the window that starts at a time. */
  private void send(String gateway, String sensor, long startMs, int readings) {
    Columns batch = new Columns();
    for (int i = 0; i < readings; i++) {
      batch.row(gateway + sensor, startMs + i % 10, i);
    }
    apply(100, of(gateway, batch));
  }

  @Test
  void gatewayWithMoreThanAnEighth_loses_whenHalfIsTaken_andOthersDoNot() {
    for (int i = 0; i < 20; i++) {
      send("g", "/" + i, 0, 5);
    }
    assertThat(samples("g")).isEqualTo(MOST / 2);
    assertThat(lacking).hasSize(12);
    send("h", "/1", 0, 9);
    assertThat(samples("h")).isEqualTo(9);
    send("h", "/1", 0, 2);
    assertThat(samples("h")).as("more than its eighth").isZero();
  }

  @Test
  void partition_keepsNoMore() {
    for (int gateway = 0; gateway < 12; gateway++) {
      send("g" + gateway, "/1", 0, 10);
    }
    assertThat(samples("g")).isEqualTo(MOST);
  }

  @Test
  void windowsThatAreEvicted_makeRoom() {
    for (long startMs = 0; startMs < 1_000; startMs += 10) {
      send("g", "/1", startMs, 10);
    }
    assertThat(samples("g")).isEqualTo(30);
    assertThat(lacking).isEmpty();
  }

  @Test
  void stateThatIsReadBack_hasTheSameRoom() {
    for (int i = 0; i < 20; i++) {
      send("g", "/" + i, 0, 4);
    }
    windows.resume();
    send("h", "/1", 0, 10);
    send("g", "/21", 0, 1);
    assertThat(samples("g")).isEqualTo(MOST / 2);
    assertThat(samples("h")).isEqualTo(10);
  }
}

package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.oracle.NaivePartition;
import org.junit.jupiter.api.Test;

/**
 * Seeded histories (order, batch boundaries, repeats, restarts of gateways and of the topology,
 * brokers' clocks that jump ahead and back, idle gaps with ticks, gateways that say rightly or
 * wrongly that sensors are complete, records deleted before they are read, a file of gateways that
 * changes, other settings at a start, redrives of what was refused or withheld, resets with another
 * size of windows) through the topology. Every output of every record is compared with {@link
 * NaivePartition}: at which record a window is emitted, why, and with what in it.
 *
 * <p>{@code -Dweir.histories=N} sets how many, {@code -Dweir.seed=S} the first one.
 */
class RandomHistoryTest {
  private static final int HISTORIES = Integer.getInteger("weir.histories", 1_000);
  private static final long FIRST_SEED = Long.getLong("weir.seed", 1);

  @Test
  void everyHistory_endsInTheWindowsOfTheNaiveOracle() {
    long complete = 0;
    long broken = 0;
    long hops = 0;
    long foreign = 0;
    long withheld = 0;
    long redriven = 0;
    long repeats = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      try {
        RandomHistory history = new RandomHistory(seed);
        history.run();
        complete += history.complete();
        broken += history.broken();
        hops += history.hops();
        foreign += history.foreign();
        withheld += history.withheld();
        redriven += history.redriven();
        repeats += history.redrivenRepeats();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (-Dweir.seed=" + seed + ")", e);
      }
    }
    if (HISTORIES >= 200) {
      assertThat(complete).isGreaterThan(HISTORIES / 4);
      assertThat(broken).isGreaterThan(HISTORIES / 4);
      assertThat(hops).isGreaterThan(HISTORIES);
      assertThat(withheld).isGreaterThan(HISTORIES / 4);
      assertThat(foreign).isGreaterThan(HISTORIES / 4);
      assertThat(redriven).isGreaterThan(HISTORIES / 10);
      assertThat(repeats).isPositive();
    }
  }
}

package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.ReadingColumns;
import io.weir.store.PartitionState;
import io.weir.window.Emissions;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans against what the engine did for the same load, with the figures of the documentation:
 * entries and summaries, what stands in the changelog, heap. No clock is read.
 */
class PlanMeasuredTest {
  private static final long START_MS = 1_700_000_000_000L;
  private static final long WINDOW_MS = 10_000;
  private static final long GRACE_MS = 5_000;
  private static final long COMMIT_MS = 500;
  private static final long LENGTH_MS = 120_000;
  private static final double PERCENT = 25;

  @ParameterizedTest
  @CsvSource({"20000, 1000, 0", "5000, 250, 0", "4000, 1000, 60000"})
  void plan_isWhatTheEngineDoes(int sensors, long periodMs, long latenessMs) {
    Plan plan = plan(sensors, periodMs, latenessMs);
    Measured measured = new Measured(sensors, periodMs, latenessMs);
    measured.run();
    double liveBytes = measured.liveBytes();
    measured.live.clear();
    double heap = usedHeap();
    assertThat(measured.state.windows().sensors()).isEqualTo(sensors);
    measured.state = null;
    heap -= usedHeap(); // What is freed: other tests of this JVM leave things behind as well.
    double seconds = LENGTH_MS / 1000.0;
    double closing = seconds - (WINDOW_MS + GRACE_MS) / 1000.0;

    assertThat(measured.entries / seconds)
        .isCloseTo(plan.changelogEntriesPerSecond(), withinPercentage(PERCENT));
    assertThat(measured.emitted / closing)
        .isCloseTo(plan.summariesPerSecond(), withinPercentage(PERCENT));
    assertThat(liveBytes).isCloseTo(plan.changelogLive(), withinPercentage(PERCENT));
    assertThat(heap).isCloseTo(plan.stateBytes(), withinPercentage(PERCENT));
  }

  private static Plan plan(int sensors, long periodMs, long latenessMs) {
    PlanInput input =
        new PlanInput(
            sensors * 1000.0 / periodMs,
            sensors,
            periodMs,
            WINDOW_MS,
            latenessMs,
            List.of(),
            StatisticsCost.of(Set.of(), 1),
            COMMIT_MS,
            1e9,
            1e9,
            1e9,
            1e9,
            1,
            1,
            0,
            1_000,
            2,
            1e9,
            1);
    return new Plan(input, PlanFigures.DEFAULT);
  }

  /** The serial collector leaves some garbage at the heap's bottom in all but every fourth run. */
  private static long usedHeap() {
    for (int run = 0; run < 4; run++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** A fleet that speaks evenly over its period, applied as one partition and committed. */
  private static final class Measured {
    private final int sensors;
    private final long periodMs;
    private PartitionState state;
    private final Emissions emissions = new Emissions();
    private final Map<ByteBuffer, Integer> live = new HashMap<>();
    private long entries;
    private long liveNow;
    private long liveOfLast;
    private long emitted;

    Measured(int sensors, long periodMs, long latenessMs) {
      this.sensors = sensors;
      this.periodMs = periodMs;
      WindowSpec spec =
          WindowSpec.of(
              WINDOW_MS, GRACE_MS, latenessMs, 30_000, WindowSpec.IdleRule.ENDED, 1L << 40);
      this.state =
          new PartitionState(spec, GatewayRules.of(300_000), WindowLimits.ofSensors(1_000_000));
    }

    void run() {
      long offset = 0;
      for (long atMs = 0; atMs < LENGTH_MS; atMs += COMMIT_MS) {
        long nowMs = START_MS + atMs;
        for (long batchMs = 0; batchMs < COMMIT_MS; batchMs += Math.min(COMMIT_MS, periodMs)) {
          state.observe(nowMs + batchMs, offset++, Uuid.ZERO_UUID);
          ReadingColumns batch = batch(atMs + batchMs);
          state.windows().apply(batch, state.time().logMs(), emissions);
        }
        state.windows().upkeep(state.time(), 1_000_000, emissions);
        emitted += emissions.take().size();
        state.flush(this::log);
        liveOfLast += atMs >= LENGTH_MS - WINDOW_MS ? liveNow : 0;
      }
    }

    /** Those whose moment lies in the batch's share of the period. */
    private ReadingColumns batch(long atMs) {
      Columns columns = new Columns();
      long lengthMs = Math.min(COMMIT_MS, periodMs);
      for (int sensor = 0; sensor < sensors; sensor++) {
        long phaseMs = sensor * periodMs / sensors;
        if (Math.floorMod(phaseMs - atMs, periodMs) < lengthMs) {
          columns.row("sensor-" + sensor, START_MS + atMs, 20 + sensor % 500 / 100.0);
        }
      }
      return columns.build();
    }

    private void log(byte[] key, byte[] value) {
      if (key[0] == 'S') {
        entries++;
      }
      int bytes = value == null ? 0 : key.length + value.length;
      Integer old = live.put(ByteBuffer.wrap(key), bytes);
      liveNow += bytes - (old == null ? 0 : old);
    }

    /** On the average over the last window: a sensor has one window for half of it, then two. */
    double liveBytes() {
      return (double) liveOfLast * COMMIT_MS / WINDOW_MS;
    }
  }
}

package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Seeds;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.Quality;
import io.weir.summary.WindowSummaryEncoder;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/**
 * The same readings in any order, in any batches, with any commits and restarts between: every
 * field of the summary is the same, bit for bit, and that of the naive model.
 */
class AnyOrderTest {
  private static final long SIZE_MS = 1_000;
  private static final WindowSpec SPEC =
      WindowSpec.of(SIZE_MS, 0, 0, 30_000, IdleRule.ENDED, 1L << 50)
          .with(StatisticsPlan.ofAll(List.of(StatisticSet.values())));

  private record Row(long timestampMs, double value, Quality quality) {}

  @Test
  void sameReadings_inAnyOrderAndBatches_giveTheSameSummary() {
    Seeds.forEach(
        1_000,
        random -> {
          List<Row> rows = rows(random);
          WindowSummary first = summary(rows, random);
          NaiveWindows naive = new NaiveWindows(SIZE_MS, SPEC.statistics());
          rows.forEach(row -> naive.add("a", row.timestampMs(), row.value(), row.quality()));
          NaiveWindows.Window window = naive.windows().get(new NaiveWindows.Key("a", 0));
          assertThat(NaiveWindows.isRoundedSum(window.sum(), first.getSum())).isTrue();
          assertThat(first.getCount()).isEqualTo(window.count());
          assertThat(first.getBadCount()).isEqualTo(window.badCount());
          assertThat(window.statisticsAreIn(first)).as("%s of %s", first, window).isTrue();
          Collections.shuffle(rows, random);
          assertThat(summary(rows, random).toByteString()).isEqualTo(first.toByteString());
        });
  }

  private static List<Row> rows(Random random) {
    List<Row> rows = new ArrayList<>();
    int kind = random.nextInt(4);
    int most = random.nextInt(10) == 0 ? 900 : 40;
    for (int i = random.nextInt(most); i >= 0; i--) {
      double value =
          switch (kind) {
            case 0 -> 1e9 + random.nextGaussian() * 1e-3;
            case 1 -> random.nextInt(1_000);
            case 2 -> random.nextBoolean() ? 1e16 : -random.nextDouble();
            default -> Math.scalb(random.nextGaussian(), random.nextInt(400) - 200);
          };
      Quality quality = Quality.ofNumber(random.nextInt(4));
      rows.add(new Row(1 + random.nextInt((int) SIZE_MS - 1), value, quality));
    }
    return rows;
  }

  private static WindowSummary summary(List<Row> rows, Random random) {
    Changelog log = new Changelog();
    List<WindowSummary> emitted = new ArrayList<>();
    PartitionState state = state();
    for (int from = 0; from < rows.size(); ) {
      int to = Math.min(rows.size(), from + 1 + random.nextInt(rows.size()));
      Columns batch = new Columns();
      for (Row row : rows.subList(from, to)) {
        batch.row("a", row.timestampMs(), row.value(), row.quality().number());
      }
      apply(state, batch, emitted);
      if (random.nextInt(3) == 0) {
        state.flush(log);
        state = random.nextBoolean() ? state : readBack(log);
      }
      from = to;
    }
    assertThat(emitted).isEmpty();
    apply(state, new Columns().row("a", SIZE_MS, 0), emitted);
    assertThat(emitted).hasSize(1);
    return emitted.get(0);
  }

  private static PartitionState state() {
    return new PartitionState(SPEC, GatewayRules.of(300_000), WindowLimits.ofSensors(10));
  }

  private static PartitionState readBack(Changelog log) {
    PartitionState state = state();
    log.replay(0, state);
    state.resume();
    return state;
  }

  private static void apply(PartitionState state, Columns batch, List<WindowSummary> emitted) {
    state.observe(100, 7, Uuid.ZERO_UUID);
    state
        .windows()
        .apply(
            batch.build(),
            100,
            (sensor, window, reason) -> {
              byte[] bytes = WindowSummaryEncoder.encode(sensor.id(), window, SIZE_MS, reason);
              try {
                emitted.add(WindowSummary.parseFrom(bytes));
              } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
              }
            });
  }
}

package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.CollectSettings;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.collect.CollectorTable.InFlight;
import io.weir.internal.collect.Pace.FlushTimer;
import io.weir.internal.collect.Watch.XactTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @Test
  void three_leaveAtOnce_twoAtTheTimeout() {
    FlushTimer timer = new FlushTimer();

    assertThat(timer.isDue(3, true, 1_000, 50)).isTrue();
    timer.sent(false, 50);
    assertThat(timer.isDue(2, false, 1_000, 100)).isFalse();
    assertThat(timer.dueInMs(1_000, 400)).isEqualTo(700);
    assertThat(timer.isDue(2, false, 1_000, 1_099)).isFalse();
    assertThat(timer.isDue(2, false, 1_000, 1_100)).isTrue();
  }

  @Test
  void firstRowThatWaits_startsTheTime_andNoneEndsIt() {
    FlushTimer timer = new FlushTimer();

    timer.isDue(1, false, 100, 0);
    timer.isDue(0, false, 100, 50);
    assertThat(timer.dueInMs(100, 60)).isEqualTo(-1);
    assertThat(timer.isDue(1, false, 100, 110)).isFalse();
    assertThat(timer.isDue(9, false, 100, 210)).isTrue();
  }

  @Test
  void rowsThatWait_areSoonDue_unlessTheTimeoutIsLong() {
    assertThat(soonDue("1s", 1)).isTrue();
    assertThat(soonDue("1s", 0)).as("none waits").isFalse();
    assertThat(soonDue("1m", 1)).isFalse();
  }

  private static boolean soonDue(String timeout, int rows) {
    CollectSettings settings =
        WeirConfig.of(new Properties(), Map.of(), Map.of("collect.batch.timeout", timeout))
            .collect();
    OutboxRow row = new OutboxRow(1, 1, "s", 1L, 1.0, null, null, null, false, null, false);
    Pace pace = new Pace(settings, 1_000);
    pace.saw(
        new Selection(Collections.nCopies(rows, row), List.of(), List.of(), false, false),
        false,
        50);
    return pace.isSoonDue(50, System.nanoTime());
  }

  @Test
  void limit_growsWithABacklog_andHalvesAboveTheTarget() {
    AdaptiveLimit limit = new AdaptiveLimit(true, 100, 10_000, 1_000, 50);

    limit.acknowledged(100, true, 10);
    assertThat(limit.rows()).isEqualTo(110);
    limit.acknowledged(100, false, 10);
    assertThat(limit.rows()).isEqualTo(110);
    limit.acknowledged(100, true, 51);
    assertThat(limit.rows()).isEqualTo(55);
  }

  @Test
  void timeout_shrinksWhenLittleComes_andGrowsBack() {
    AdaptiveLimit limit = new AdaptiveLimit(true, 100, 10_000, 1_000, 50);

    limit.acknowledged(9, false, 10);
    assertThat(limit.timeoutMs()).isEqualTo(500);
    limit.acknowledged(10, false, 10);
    assertThat(limit.timeoutMs()).isEqualTo(1_000);
  }

  @Test
  void limit_staysWithinItsBounds() {
    Random random = new Random(SEED);
    for (int round = 0; round < 100; round++) {
      int rows = 1 + random.nextInt(10_000);
      AdaptiveLimit limit = new AdaptiveLimit(true, rows, 10_000, 1_000, 50);
      for (int step = 0; step < 200; step++) {
        limit.acknowledged(random.nextInt(20), random.nextInt(4) > 0, random.nextInt(100));
        assertThat(limit.rows()).as("seed %s", SEED).isBetween(Math.min(rows, 10), 10_000);
        assertThat(limit.timeoutMs()).as("seed %s", SEED).isBetween(10L, 1_000L);
      }
    }
  }

  @Test
  void fixedLimit_isTheSameWhateverHappens() {
    AdaptiveLimit limit = new AdaptiveLimit(false, 100, 10_000, 1_000, 50);
    limit.acknowledged(1, true, 1_000);
    limit.acknowledged(100, true, 1);

    assertThat(limit.rows()).isEqualTo(100);
    assertThat(limit.timeoutMs()).isEqualTo(1_000);
  }

  @Test
  void inFlight_isReadAsItWasWritten() {
    Random random = new Random(SEED);
    List<SentBatch> batches = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] value = new byte[random.nextInt(2_000)];
      random.nextBytes(value);
      Channel channel = Channel.values()[random.nextInt(3)];
      batches.add(
          new SentBatch(channel, random.nextInt(64), random.nextLong(), random.nextLong(), value));
    }

    List<SentBatch> read = InFlight.decode(InFlight.encode(batches));

    assertThat(read).usingRecursiveComparison().isEqualTo(batches);
    assertThat(InFlight.encode(List.of())).hasSize(1);
    assertThat(InFlight.decode(InFlight.encode(List.of()))).isEmpty();
  }

  @Test
  void cursor_isReadAsItWasWritten_beyondTheSign() {
    Cursor cursor = new Cursor(-5, 17);

    assertThat(cursor.text()).isEqualTo("18446744073709551611 17");
    assertThat(Cursor.parse(cursor.text())).isEqualTo(cursor);
  }

  @Test
  void ageOfATransaction_isBoundedByTheLastTimeItWasNotThere() {
    XactTimes times = new XactTimes();
    for (int i = 0; i < 5_000; i++) {
      times.sample(10L * i, 1_000L * i);
    }

    assertThat(times.ageMs(49_990, 5_000_000)).isEqualTo(1_000);
    assertThat(times.ageMs(49_985, 5_000_000)).isEqualTo(2_000);
    assertThat(times.ageMs(0, 5_000_000)).isEqualTo(5_000_000);
  }
}

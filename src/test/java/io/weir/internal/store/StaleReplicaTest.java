package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.window.Emissions;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** A replica of the changelog that was away for longer than delete.retention.ms. */
class StaleReplicaTest {
  private static final GatewayRules GATEWAYS = GatewayRules.of(300_000);

  private final Changelog log = new Changelog();
  private final Emissions emissions = new Emissions();
  private PartitionState state;
  private long offset;
  private int slots = ChangeRing.SLOTS;

  private void begin(WindowSpec spec) {
    state =
        new PartitionState(spec, GATEWAYS, WindowLimits.ofSensors(1_000), StatusPlan.OFF, slots);
  }

  private void apply(Columns batch) {
    long now = Math.max(100, state.time().appendMs());
    state.observe(now, offset++, Uuid.ZERO_UUID);
    state.windows().apply(batch.build(), state.time().logMs(), emissions);
  }

  private void pass() {
    state.observe(state.time().appendMs() + 30_000, offset++, Uuid.ZERO_UUID);
    state.windows().upkeep(state.time(), 100, emissions);
  }

  /** Reads the old entries that the replica kept, then what all others have. */
  private void restart(WindowSpec spec, Changelog kept) {
    begin(spec);
    kept.replay(0, state);
    log.compacted(false).replay(0, state);
    state.resume();
  }

  /**
   * x was purged and its number given to y. The replica brings the entry of x back, x is purged
   * again at once, as its mark has expired: its number is free, although y has it, and z gets it
   * too. Changes of y and z are taken for each other's at the next restart.
   */
  @Test
  void purgedSensorThatAReplicaBringsBack_changesNoOtherWindow() {
    check(true);
  }

  @Test
  void control_withoutTheEntryOfX() {
    check(false);
  }

  private static void check(boolean back) {
    int refused = 0;
    StringBuilder wrong = new StringBuilder();
    for (int commits = 1; commits < 40; commits++) {
      for (int pattern = 0; pattern < 4; pattern++) {
        StaleReplicaTest one = new StaleReplicaTest();
        try {
          List<String> got = one.history(commits, pattern, back);
          String expected = one.expected;
          if (!got.equals(List.of(expected.split(";")))) {
            wrong.append(commits + "/" + pattern + ": " + got + " instead of " + expected + "\n");
          }
        } catch (StateMismatchException e) {
          refused++;
        }
      }
    }
    assertThat(wrong.toString()).as("wrong; %s refused", refused).isEmpty();
    assertThat(refused).isZero();
  }

  private String expected;

  private List<String> history(int commits, int pattern, boolean back) {
    slots = 8;
    WindowSpec spec = WindowSpec.of(10, 0, 0, 30_000, IdleRule.ENDED, 60_000).withMarkTtlMs(60_000);
    begin(spec);
    apply(new Columns().row("x", 1, 1));
    state.flush(log);
    Changelog kept = new Changelog();
    log.repeat('S', kept);
    for (int i = 0; i < 10; i++) {
      pass();
      state.flush(log);
    }
    int y = 0;
    int z = 0;
    for (int i = 0; i < 10 + pattern * 3; i++) {
      apply(new Columns().row("y", 1_001, 1));
      y++;
      state.flush(log);
    }
    restart(spec, back ? kept : new Changelog());
    pass();
    state.flush(log);
    apply(new Columns().row("z", 1_001, 1).row("y", 1_001, 1));
    y++;
    z++;
    state.flush(log);
    for (int i = 0; i < commits; i++) {
      Columns batch = new Columns();
      if (pattern != 1 || i < 3) {
        batch.row("y", 1_001, 1);
        y++;
      }
      if (pattern == 0 || pattern == 3 && i % 3 == 0) {
        batch.row("z", 1_001, 1);
        z++;
      }
      batch.row("other", 1_001, 1);
      apply(batch);
      state.flush(log);
    }
    restart(spec, new Changelog());
    emissions.take();
    apply(new Columns().row("y", 1_031, 1).row("z", 1_031, 1));
    expected = "y n" + y + ";z n" + z;
    return emissions.brief().stream()
        .filter(line -> line.contains("@1000 "))
        .map(line -> line.charAt(0) + line.replaceAll(".*( n[0-9]+) .*", "$1"))
        .sorted()
        .toList();
  }

  /**
   * a's oldest window has an entry of its own, was emitted in full and evicted. Then records are
   * deleted unread, and a replica brings the entry back as it was before its last readings.
   */
  @Test
  void evictedWindowThatAReplicaBringsBack_isNotEmittedWhenALossIsAccepted() {
    WindowSpec spec = WindowSpec.of(10, 500, 0, 30_000, IdleRule.ENDED, 1L << 50);
    begin(spec);
    Columns open = new Columns();
    for (int i = 0; i < 9; i++) {
      open.row("a", 10 * i + 2, 1);
    }
    apply(open);
    state.flush(log);
    Changelog kept = new Changelog();
    log.repeat('W', kept);
    apply(new Columns().row("a", 3, 1).row("a", 4, 1)); // more for window 0
    state.flush(log);
    apply(new Columns().row("a", 1_000, 1)); // closes and evicts
    state.flush(log);
    assertThat(emissions.take()).anyMatch(line -> line.startsWith("a@0 EVENT_TIME r0 n3 "));
    state.deletedUnread(3, false, 100);
    state.observe(100, offset += 4, Uuid.ZERO_UUID);
    state.flush(log);
    Gap gap = state.gaps().newest().orElseThrow();
    emissions.take();

    restart(spec, kept);
    state.observe(100, offset++, Uuid.ZERO_UUID);
    state.acceptLoss(gap, (sensor, startMs) -> false, emissions);
    assertThat(emissions.take()).noneMatch(line -> line.startsWith("a@0 "));
  }
}

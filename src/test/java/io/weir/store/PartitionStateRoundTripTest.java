package io.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.reading.BatchVerdict;
import io.weir.reading.Columns;
import io.weir.reading.GatewaySequences;
import io.weir.reading.ReadingColumns;
import io.weir.window.Emissions;
import io.weir.window.PartitionTime;
import io.weir.window.WindowSpec;
import io.weir.window.WindowSpec.IdleRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * States that were read back from the changelog, whole or compacted, at once or by and by, go on as
 * the one that was never written: the same verdicts and the same emissions.
 */
class PartitionStateRoundTripTest {
  private static final String[] SENSORS = {"a", "b", "Fühler", "d", "e"};

  /** One state with what it says; {@code readTo} is how far a standby has read. */
  private static final class Task {
    private final PartitionState state;
    private final Emissions emissions = new Emissions();
    private int readTo;

    Task(WindowSpec spec) {
      state = new PartitionState(spec);
    }
  }

  @Test
  void statesReadBackAtAnyCommit_goOnAsTheOneThatWasNeverWritten() {
    Seeds.forEach(400, random -> new History(random).run());
  }

  private static final class History {
    private final Random random;
    private final WindowSpec spec;
    private final Task never;
    private final Changelog log = new Changelog();
    private Task active;
    private Task standby;
    private long nowMs = 1_000_000;
    private long eventMs = 999_000;

    History(Random random) {
      this.random = random;
      long graceMs = random.nextInt(3) * 40;
      long latenessMs = random.nextInt(4) * 60;
      IdleRule rule = random.nextBoolean() ? IdleRule.ALL : IdleRule.OVER_IN_PARTITION_TIME;
      spec = new WindowSpec(10, graceMs, latenessMs, 50, rule, 1000);
      never = new Task(spec);
      active = new Task(spec);
      standby = new Task(spec);
    }

    void run() {
      for (int step = 0; step < 160; step++) {
        move();
        if (random.nextInt(4) > 0) {
          batch();
        } else {
          upkeep();
        }
        if (random.nextInt(3) == 0) {
          commit();
        }
      }
      forgetEverything();
    }

    /** What is kept no longer leaves nothing in the changelog: first the windows, then all. */
    private void forgetEverything() {
      pass(10_000, 30, 30, 30);
      assertThat(log.keys()).noneMatch(key -> key.startsWith("W"));
      pass(WindowSpec.MARK_TTL_MS + 3000, 30, 30);
      assertThat(log.keys()).containsExactly("M");
    }

    private void pass(long... stepsMs) {
      for (long stepMs : stepsMs) {
        nowMs += stepMs;
        never.state.observe(nowMs, nowMs);
        active.state.observe(nowMs, nowMs);
        upkeep();
        commit();
      }
    }

    private void move() {
      nowMs += random.nextInt(random.nextInt(12) == 0 ? 1500 : 20);
      if (random.nextInt(150) == 0) {
        nowMs += WindowSpec.MARK_TTL_MS;
      }
      eventMs += random.nextInt(15);
      if (random.nextInt(40) == 0) {
        eventMs += 500;
      }
    }

    private void batch() {
      Columns batch = new Columns();
      long bootId = random.nextInt(8);
      long sequence = bootId == 0 ? 0 : 1 + random.nextInt(2500);
      batch.gateway("gateway-" + random.nextInt(3), bootId, sequence);
      int readings = random.nextInt(12);
      for (int i = 0; i < readings; i++) {
        String sensor = SENSORS[random.nextInt(SENSORS.length)];
        long timestampMs = Math.max(1, eventMs - random.nextInt(random.nextInt(5) == 0 ? 400 : 60));
        if (random.nextInt(6) == 0) {
          batch.bad(sensor, timestampMs);
        } else {
          batch.row(sensor, timestampMs, random.nextBoolean() ? 1e16 : random.nextGaussian());
        }
      }
      assertThat(apply(active, batch)).isEqualTo(apply(never, batch));
      compareEmissions();
    }

    /** As the topology does it; says what became of the batch. */
    private String apply(Task task, Columns batch) {
      ReadingColumns columns = batch.build();
      task.state.observe(nowMs, nowMs);
      String gatewayId = columns.gatewayId();
      BatchVerdict verdict = task.state.gateways().judge(columns, gatewayId, 256);
      int late = 0;
      if (verdict == BatchVerdict.NEW || verdict == BatchVerdict.UNSEQUENCED) {
        late = task.state.windows().apply(columns, nowMs, task.emissions);
      }
      if (verdict == BatchVerdict.NEW) {
        task.state.gateways().apply(gatewayId, columns.bootId(), columns.sequence(), nowMs);
      }
      return verdict + " late " + late + " lost " + task.state.gateways().lost();
    }

    /** All that is due: in what order sensors come up may differ after they were read back. */
    private void upkeep() {
      for (Task task : List.of(never, active)) {
        PartitionTime time = task.state.time();
        while (task.state.windows().upkeep(time, nowMs, 1000, task.emissions)) {}
        task.state.gateways().forgetSilent(time.largestAppendMs());
      }
      assertThat(sorted(active.emissions)).isEqualTo(sorted(never.emissions));
      assertThat(active.state.windows().sensors()).isEqualTo(never.state.windows().sensors());
    }

    private static List<String> sorted(Emissions emissions) {
      List<String> lines = new ArrayList<>(emissions.take());
      lines.sort(null);
      return lines;
    }

    private void compareEmissions() {
      assertThat(active.emissions.take()).isEqualTo(never.emissions.take());
    }

    private void commit() {
      active.state.flush(log);
      if (random.nextInt(3) == 0) {
        standby.readTo = log.replay(standby.readTo, standby.state);
      }
      switch (random.nextInt(6)) {
        case 0 -> goOnWith(readBack(log));
        case 1 -> goOnWith(readBack(log.compacted(true)));
        case 2 -> goOnWith(readBack(log.compacted(false)));
        case 3 -> goOnWith(readBack(log.compactedSomewhere(random)));
        case 4 -> changePlaces();
        default -> {}
      }
    }

    private Task readBack(Changelog from) {
      Task fresh = new Task(spec);
      from.replay(0, fresh.state);
      return fresh;
    }

    /** The standby takes over, and the one that was active stands by: its heap is its state. */
    private void changePlaces() {
      standby.readTo = log.replay(standby.readTo, standby.state);
      Task before = active;
      before.readTo = log.size();
      goOnWith(standby);
      standby = before;
    }

    private void goOnWith(Task task) {
      active = task;
      active.state.resume(nowMs);
      never.state.time().runOn(nowMs);
      assertThat(gateways(active)).isEqualTo(gateways(never));
    }

    private static String gateways(Task task) {
      StringBuilder text = new StringBuilder("lost " + task.state.gateways().lost());
      for (int i = 0; i < 3; i++) {
        GatewaySequences gateway = task.state.gateways().get("gateway-" + i);
        text.append(gateway == null ? " none" : " " + gateway.fencedThrough() + gateway.lost());
      }
      return text.toString();
    }
  }
}

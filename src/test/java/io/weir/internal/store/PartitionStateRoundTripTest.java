package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.window.Emissions;
import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.BatchVerdict;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.ReadingColumns;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/**
 * States that were read back from the changelog, whole or compacted, at once or by and by, go on as
 * the one that was never written: the same verdicts and the same emissions.
 */
class PartitionStateRoundTripTest {
  private static final long MARK_TTL_MS = 3000;
  private static final GatewayRules GATEWAYS = new GatewayRules(400, 300, 4, 1L << 40);

  /** More than there is room for. */
  private static final int MOST_GATEWAYS = 6;

  private static final String[] SENSORS = {"a", "b", "Fühler", "d", "e"};

  /** One state with what it says; {@code readTo} is how far a standby has read. */
  private static final class Task {
    private final PartitionState state;
    private final Emissions emissions = new Emissions();
    private int readTo;

    Task(WindowSpec spec, int slots) {
      WindowLimits limits = WindowLimits.ofSensors(1_000);
      state = new PartitionState(spec, GATEWAYS, limits, StatusPlan.OFF, slots);
    }
  }

  @Test
  void statesReadBackAtAnyCommit_goOnAsTheOneThatWasNeverWritten() {
    Seeds.forEach(200, random -> new History(random).run());
  }

  private static final class History {
    private final Random random;
    private final WindowSpec spec;
    private final int slots;
    private final Task never;

    /** By gateway and boot. */
    private final long[][] highest = new long[MOST_GATEWAYS][8];

    private Changelog log = new Changelog();
    private Task active;
    private Task standby;
    private long nowMs = 1_000_000;
    private long eventMs = 999_000;
    private long offset;

    History(Random random) {
      this.random = random;
      long graceMs = random.nextInt(3) * 40;
      long latenessMs = random.nextInt(4) * 60;
      IdleRule rule = random.nextBoolean() ? IdleRule.ALL : IdleRule.ENDED;
      WindowSpec plain =
          WindowSpec.of(10, graceMs, latenessMs, 50, rule, 1000).withMarkTtlMs(MARK_TTL_MS);
      WindowSpec more = random.nextInt(3) == 0 ? plain : plain.with(plan());
      WindowSpec rolled =
          random.nextBoolean() ? more : more.with(RollupPlan.of(10, List.of(30L, 300L, 3000L)));
      spec = random.nextBoolean() ? rolled : rolled.with(hopping());
      slots = random.nextInt(3) == 0 ? ChangeRing.SLOTS : 4 + random.nextInt(21);
      never = newTask();
      active = newTask();
      standby = newTask();
    }

    private Task newTask() {
      return new Task(spec, slots);
    }

    private HoppingPlan hopping() {
      List<String> prefixes = random.nextBoolean() ? List.of() : List.of("a", "F");
      return HoppingPlan.of(10, random.nextBoolean() ? 30 : 400, prefixes);
    }

    /** Each set for no sensor, for all, or for those with a certain beginning. */
    private StatisticsPlan plan() {
      Map<StatisticSet, List<String>> plan = new EnumMap<>(StatisticSet.class);
      for (StatisticSet set : StatisticSet.values()) {
        switch (random.nextInt(4)) {
          case 0 -> {}
          case 1 -> plan.put(set, List.of("a", "F"));
          default -> plan.put(set, List.of());
        }
      }
      int mostSamples = random.nextBoolean() ? 10_000 : 1 + random.nextInt(600);
      return new StatisticsPlan(plan, mostSamples);
    }

    void run() {
      // A ring of many slots is used again after 128 commits.
      int steps = random.nextInt(16) == 0 ? 1_200 : 160;
      for (int step = 0; step < steps; step++) {
        move();
        if (random.nextInt(20) == 0) {
          reset();
        }
        if (random.nextInt(4) > 0) {
          batch();
        } else {
          tick();
        }
        if (random.nextInt(3) == 0) {
          commit();
        }
      }
      forgetEverything();
    }

    /** What is kept no longer leaves nothing in the changelog: first the windows, then all. */
    private void forgetEverything() {
      compact();
      // Far longer than any is kept: a slice is three windows.
      pass(4500);
      assertThat(log.keys()).noneMatch(key -> key.startsWith("W") || key.startsWith("V"));
      pass(MARK_TTL_MS + 1000);
      assertThat(log.keys()).noneMatch(key -> key.matches("(?s)[SRH].*"));
    }

    /**
     * So much is read back while nothing is sent that the whole log would take most of the time.
     */
    private void compact() {
      log.replay(standby.readTo, standby.state);
      log = log.compacted(true);
      standby.readTo = log.size();
    }

    private void pass(long millis) {
      for (long passedMs = 0; passedMs < millis; passedMs += 50) {
        nowMs += 50;
        tick();
        int written = log.size();
        active.state.flush(log);
        // Most often the position alone, which changes nothing that is read back.
        if (log.size() > written + 1 || random.nextInt(8) == 0) {
          readBackPerhaps();
        }
      }
    }

    private void tick() {
      offset++;
      never.state.observe(nowMs, offset, Uuid.ZERO_UUID);
      active.state.observe(nowMs, offset, Uuid.ZERO_UUID);
      upkeep();
    }

    private void move() {
      nowMs += random.nextInt(random.nextInt(12) == 0 ? 1500 : 20);
      nowMs -= random.nextInt(30) == 0 ? random.nextInt(3000) : 0;
      eventMs += random.nextInt(15);
      if (random.nextInt(40) == 0) {
        eventMs += 500;
      }
    }

    private void reset() {
      offset++;
      String id = "gateway-" + random.nextInt(MOST_GATEWAYS);
      for (Task task : List.of(never, active)) {
        task.state.observe(nowMs, offset, Uuid.ZERO_UUID);
        task.state.gateways().reset(id);
      }
    }

    /** Most often the next sequence of a boot that goes on. */
    private void sequence(Columns batch) {
      int gateway = random.nextInt(MOST_GATEWAYS);
      int boot = random.nextInt(4) > 0 ? (gateway + (int) (nowMs / 1000)) % 8 : random.nextInt(8);
      long next = random.nextInt(8) == 0 ? 1 + random.nextInt(2500) : highest[gateway][boot] + 1;
      next = Math.max(1, next + (random.nextInt(5) == 0 ? random.nextInt(4) - 2 : 0));
      highest[gateway][boot] = next;
      batch.gateway("gateway-" + gateway, boot, boot > 0 ? next : 0);
    }

    private void batch() {
      Columns batch = new Columns();
      sequence(batch);
      int readings = random.nextInt(12);
      for (int i = 0; i < readings; i++) {
        String sensor = sensor();
        long timestampMs = Math.max(1, eventMs - random.nextInt(random.nextInt(5) == 0 ? 400 : 60));
        if (random.nextInt(6) == 0) {
          batch.bad(sensor, timestampMs);
        } else {
          batch.row(sensor, timestampMs, value());
        }
      }
      if (random.nextInt(3) == 0) {
        attest(batch);
      }
      if (random.nextInt(20) == 0) {
        addBurst(batch);
      }
      assertThat(apply(active, batch)).isEqualTo(apply(never, batch));
      upkeep();
    }

    /** Most often one that sends all the time, else one that is forgotten before it is back. */
    private String sensor() {
      return random.nextInt(25) == 0
          ? "rare-" + random.nextInt(20)
          : SENSORS[random.nextInt(SENSORS.length)];
    }

    private double value() {
      return switch (random.nextInt(4)) {
        case 0 -> 1e16;
        case 1 -> random.nextGaussian();
        case 2 -> Math.round(random.nextGaussian() * 1_000) / 100.0;
        default -> random.nextBoolean() ? -0.0 : random.nextInt(7) - 3;
      };
    }

    private void attest(Columns batch) {
      if (random.nextBoolean()) {
        batch.ordered();
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        String sensor = SENSORS[random.nextInt(SENSORS.length)];
        batch.complete(sensor, Math.max(1, eventMs - random.nextInt(80)));
      }
    }

    /** Many readings of a sensor, of a window most often. */
    private void addBurst(Columns batch) {
      String sensor = SENSORS[random.nextInt(SENSORS.length)];
      int rangeMs = random.nextInt(4) == 0 ? 30 : 5;
      for (int i = random.nextInt(600); i >= 0; i--) {
        long timestampMs = eventMs - random.nextInt(rangeMs);
        batch.row(sensor, timestampMs, random.nextInt(100) - 20, random.nextInt(3));
      }
    }

    /** As the topology does it; says what became of the batch. */
    private String apply(Task task, Columns batch) {
      ReadingColumns columns = batch.build();
      task.state.observe(nowMs, offset, Uuid.ZERO_UUID);
      String gatewayId = columns.gatewayId();
      BatchVerdict verdict =
          task.state.gateways().judge(columns, gatewayId, 256, nowMs, task.state.time().logMs());
      String taken = "";
      if (verdict == BatchVerdict.NEW || verdict == BatchVerdict.UNSEQUENCED) {
        int late = task.state.windows().apply(columns, task.state.time().logMs(), task.emissions);
        taken = " late " + late + " broken " + task.state.windows().broken();
      }
      if (verdict == BatchVerdict.NEW) {
        task.state
            .gateways()
            .apply(gatewayId, columns.bootId(), columns.sequence(), task.state.time().logMs());
      }
      return verdict + taken;
    }

    /** A small slice: what is left over must be the same after all has been read back. */
    private void upkeep() {
      for (Task task : List.of(never, active)) {
        PartitionTime time = task.state.time();
        task.state.windows().upkeep(time, 3, task.emissions);
        task.state.gateways().forgetSilent(time.logMs());
      }
      assertThat(active.state.windows().sensors()).isEqualTo(never.state.windows().sensors());
      compareEmissions();
    }

    private void compareEmissions() {
      assertThat(active.emissions.take()).isEqualTo(never.emissions.take());
    }

    private void commit() {
      active.state.flush(log);
      // The whole log is read each time: long histories would take most of the time.
      if (log.size() < 1_000 || random.nextInt(4) == 0) {
        readBackPerhaps();
      }
    }

    /** In one way or another, or not. */
    private void readBackPerhaps() {
      if (random.nextInt(3) == 0) {
        standBy();
      }
      switch (random.nextInt(8)) {
        case 0 -> goOnWith(readBack(log));
        case 1 -> goOnWith(readBack(log.compacted(true)));
        case 2 -> goOnWith(readBack(log.compacted(false)));
        case 3 -> goOnWith(readBack(log.compactedSomewhere(random)));
        case 4 -> changePlaces();
        case 5 -> goOnWith(readBack(log.compactedWhileRead(random)));
        case 6 -> goOnWith(readBack(log.compactedHereAndThere(random, 0)));
        default -> {}
      }
    }

    private void standBy() {
      log.compactedHereAndThere(random, standby.readTo).replay(0, standby.state);
      standby.readTo = log.size();
    }

    private Task readBack(Changelog from) {
      Task fresh = newTask();
      from.replay(0, fresh.state);
      return fresh;
    }

    /** The standby takes over, and the one that was active stands by: its heap is its state. */
    private void changePlaces() {
      standBy();
      Task before = active;
      before.readTo = log.size();
      goOnWith(standby);
      standby = before;
    }

    private void goOnWith(Task task) {
      PartitionState before = active.state;
      Map<String, String> sensors = StateDump.of(before);
      active = task;
      active.state.resume();
      Map<String, String> after = StateDump.of(active.state);
      assertThat(after.keySet()).isEqualTo(sensors.keySet());
      after.forEach((sensor, kept) -> assertThat(kept).as(sensor).isEqualTo(sensors.get(sensor)));
      for (int i = 0; i < MOST_GATEWAYS; i++) {
        String id = "gateway-" + i;
        String kept = StateDump.gateway(active.state, id);
        assertThat(kept).as(id).isEqualTo(StateDump.gateway(before, id));
      }
      assertThat(gateways(active)).isEqualTo(gateways(never));
    }

    /** What would become of the next batches: how much of it is in memory is nobody's concern. */
    private String gateways(Task task) {
      StringBuilder verdicts = new StringBuilder();
      for (ReadingColumns batch : PROBES) {
        String id = batch.gatewayId();
        long logMs = task.state.time().logMs();
        verdicts.append(task.state.gateways().judge(batch, id, 256, nowMs, logMs).ordinal());
      }
      return verdicts.toString();
    }
  }

  private static final List<ReadingColumns> PROBES = probes();

  private static List<ReadingColumns> probes() {
    List<ReadingColumns> probes = new ArrayList<>();
    for (int gateway = 0; gateway < MOST_GATEWAYS; gateway++) {
      for (long bootId = 1; bootId < 8; bootId++) {
        for (long sequence = 1; sequence < 2500; sequence += 611) {
          probes.add(new Columns().gateway("gateway-" + gateway, bootId, sequence).build());
        }
      }
    }
    return probes;
  }
}

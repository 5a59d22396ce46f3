package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.alarm.StatusPlan;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.deadletter.Origin;
import io.weir.dev.oracle.Emissions;
import io.weir.dev.oracle.IdleMoment;
import io.weir.dev.oracle.NaivePartition;
import io.weir.dev.oracle.NaiveRules;
import io.weir.dev.oracle.NaiveWeir;
import io.weir.dev.oracle.NaiveWindows;
import io.weir.oracle.RandomBatches;
import io.weir.oracle.SummaryAssert;
import io.weir.reading.GatewayRules;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import io.weir.window.CloseReason;
import io.weir.window.HoppingPlan;
import io.weir.window.RollupPlan;
import io.weir.window.StatisticsPlan;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;
import io.weir.window.aggregate.StatisticSet;
import io.weir.wire.ResetMark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * Seeded histories (order, batch boundaries, repeats, restarts of gateways and of the topology,
 * brokers' clocks that jump ahead and back, idle gaps with ticks, gateways that say rightly or
 * wrongly that sensors are complete, a file of gateways that changes) through the topology. Every
 * output of every record is held against {@link NaivePartition}: at which record a window is
 * emitted, why, and with what in it.
 *
 * <p>{@code -Dweir.histories=N} sets how many, {@code -Dweir.seed=S} the first one.
 */
class RandomHistoryTest {
  private static final int HISTORIES = Integer.getInteger("weir.histories", 2_000);
  private static final long FIRST_SEED = Long.getLong("weir.seed", 1);

  @Test
  void everyHistory_endsInTheWindowsOfTheNaiveOracle() {
    long complete = 0;
    long broken = 0;
    long hops = 0;
    long foreign = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      try {
        History history = new History(seed);
        history.run();
        complete += history.naive.complete();
        broken += history.naive.broken();
        hops += history.hops.latest.size();
        foreign += history.foreign;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (-Dweir.seed=" + seed + ")", e);
      }
    }
    if (HISTORIES >= 200) {
      assertThat(complete).isGreaterThan(HISTORIES / 4);
      assertThat(broken).isGreaterThan(HISTORIES / 4);
      assertThat(hops).isGreaterThan(HISTORIES);
      assertThat(foreign).isGreaterThan(HISTORIES / 4);
    }
  }

  /** One history. Times are small numbers, so that every boundary is met often. */
  private static final class History implements Emissions {
    private static final long SKEW = 300_000;
    private static final Origin LETTER = new Origin(WeirDriver.DEAD_LETTERS, 0, 7);

    private final RandomBatches batches;
    private final Random random;
    private final boolean attesting;
    private final boolean permitting;
    private boolean permitted;
    private long foreign;
    private final WindowSpec spec;
    private final NaivePartition naive;
    private final List<String> due = new ArrayList<>();
    private final Map<NaiveWindows.Key, Integer> revisions = new HashMap<>();
    private final Map<NaiveWindows.Key, WindowSummary> latest = new HashMap<>();
    private final Map<Long, SpansDue> rollups = new TreeMap<>();
    private final SpansDue hops = new SpansDue();
    private final WeirDriver weir;
    private final Orders orders = new Orders();
    private final RandomStatus statusDue = new RandomStatus();

    private long appendMs = 1_000_000;
    private long offered;
    private long aggregated;
    private long late;
    private long rejected;
    private long duplicates;
    private long overflowed;

    History(long seed) {
      random = new Random(seed);
      WindowSpec plain =
          WindowSpec.of(
                  10,
                  random.nextInt(3) * 5L,
                  random.nextBoolean() ? 0 : random.nextInt(200),
                  30,
                  WindowSpec.IdleRule.ENDED,
                  random.nextInt(3) == 0 ? 200 : 1_000_000)
              .withMarkTtlMs(random.nextBoolean() ? 50 : 1_000_000);
      WindowSpec more = random.nextBoolean() ? plain : plain.with(plan(random));
      WindowSpec rolled =
          random.nextBoolean()
              ? more
              : more.with(
                  RollupPlan.of(10, List.of(random.nextBoolean() ? 20L : 40L, 120L, 1_200L)));
      spec = random.nextBoolean() ? rolled : rolled.with(hopping(random));
      NaiveRules rules =
          new NaiveRules(
              SKEW,
              random.nextInt(3) == 0 ? 60 : 1_000_000,
              random.nextBoolean() ? 50 : 1_000_000,
              1 + random.nextInt(4),
              1 + random.nextInt(4),
              1 + random.nextInt(4),
              random.nextBoolean() ? 1 + random.nextInt(6) : 10_000);
      spec.rollups().sizesMs().forEach(sizeMs -> rollups.put(sizeMs, new SpansDue()));
      naive = new NaivePartition(spec, rules, 0, IdleMoment.BY_RECORDS, this, rollups::get, hops);
      batches = new RandomBatches(random, 0);
      attesting = random.nextBoolean();
      permitting = random.nextInt(3) == 0;
      if (attesting) {
        batches.attest();
      }
      StatusPlan status = RandomStatus.plan(random, spec);
      naive.withStatus(statusDue.oracle(status));
      weir = new WeirDriver(settings(spec, rules).with(status), orders);
      weir.onTick(appendMs -> naive.take(ReadingBatch.getDefaultInstance(), appendMs));
    }

    private static HoppingPlan hopping(Random random) {
      List<String> prefixes = random.nextBoolean() ? List.of() : List.of("sensor-1", "sensor-2");
      return HoppingPlan.of(10, 20 + 10 * random.nextInt(random.nextBoolean() ? 5 : 59), prefixes);
    }

    /** Each set for no sensor, for all, or for those with a certain beginning. */
    private static StatisticsPlan plan(Random random) {
      Map<StatisticSet, List<String>> plan = new EnumMap<>(StatisticSet.class);
      for (StatisticSet set : StatisticSet.values()) {
        switch (random.nextInt(4)) {
          case 0 -> {}
          case 1 -> plan.put(set, List.of("sensor-1", "sensor-2"));
          default -> plan.put(set, List.of());
        }
      }
      return new StatisticsPlan(plan, random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 10_000);
    }

    private static TopologySettings settings(WindowSpec spec, NaiveRules rules) {
      return WeirDriver.settings(
          spec,
          1 << 20,
          new GatewayRules(
              rules.gatewayTtlMs(),
              rules.gatewayMarkTtlMs(),
              rules.maxGateways(),
              rules.maxFutureSkewMs()),
          new WindowLimits(
              rules.maxSensors(), rules.maxSensorsPerGateway(), rules.maxBatchWindows()));
    }

    void run() {
      try (weir) {
        int steps = 5 + random.nextInt(40);
        for (int i = 0; i < steps; i++) {
          step();
        }
        weir.clock(400_000);
        silence(200);
        checkBalance();
        SummaryAssert.assertEqual(latest, naive.windows());
        rollups.forEach(
            (sizeMs, size) -> SummaryAssert.assertEqual(size.latest, naive.rollups().get(sizeMs)));
        SummaryAssert.assertEqual(hops.latest, naive.hops());
        assertThat(weir.counts().leftOut).isEmpty();
      }
    }

    private void step() {
      switch (random.nextInt(15)) {
        case 0 -> weir.restart();
        case 1 -> silence(random.nextInt(100));
        case 2 -> appendMs += random.nextInt(300);
        case 3 -> appendMs += random.nextInt(4_000) - 2_000;
        case 4 -> reset();
        case 5 -> permit();
        default -> {
          appendMs += random.nextInt(8);
          weir.clock(random.nextInt(60));
          take(batches.next(appendMs));
        }
      }
    }

    /** No sensor sends for a while; ticks come. */
    private void silence(long millis) {
      weir.silence(millis);
      appendMs += random.nextBoolean() ? millis : 0;
      checkEmissions();
      assertThat(weir.late()).isEmpty();
      assertThat(weir.deadLetters()).isEmpty();
    }

    /** The file of gateways changes, at once or with a restart. */
    private void permit() {
      if (!permitting) {
        return;
      }
      RandomPermissions now = new RandomPermissions(random);
      naive.permit(now);
      if (permitted && random.nextBoolean()) {
        weir.permit(now.file());
      } else {
        weir.restart(now.file());
      }
      permitted = true;
    }

    /** By a new order, by a copy of any that there was, or by a forged one. */
    private void reset() {
      int kind = random.nextInt(4);
      if (kind == 0) {
        weir.reset(appendMs, new ResetMark(random.nextInt(3), random.nextLong(), 0));
        naive.notABatch(appendMs);
        assertThat(weir.deadLetters())
            .extracting(DeadLetter::reason)
            .containsExactly(RejectReason.UNKNOWN_RESET);
      } else {
        int order = kind == 1 && orders.size() > 0 ? random.nextInt(orders.size()) : -1;
        order = order < 0 ? orders.reset(batches.gateway()) : order;
        weir.reset(appendMs, orders.mark(order));
        naive.reset(orders.gateway(order), order, appendMs);
        assertThat(weir.deadLetters()).isEmpty();
      }
      checkEmissions();
    }

    private void take(ReadingBatch batch) {
      boolean redriven = (attesting || permitting) && random.nextInt(20) == 0;
      weir.send(
          appendMs,
          batch.getGatewayId().getBytes(StandardCharsets.UTF_8),
          batch.toByteArray(),
          redriven ? DeadLetterHeaders.ofRedrive(LETTER) : new RecordHeaders());
      offered += NaiveWeir.rows(batch).size();
      NaiveWeir.Fate fate = naive.take(batch, appendMs, redriven);
      checkEmissions();
      List<DeadLetter> letters = weir.deadLetters();
      List<Reading> lateRows =
          weir.late().stream().flatMap(letter -> NaiveWeir.rows(letter.batch()).stream()).toList();
      if (fate.refused() != null) {
        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).reason()).isEqualTo(fate.refused());
        assertThat(letters.get(0).batch()).isEqualTo(batch);
        rejected += NaiveWeir.rows(batch).size();
      } else if (fate.repeated()) {
        assertThat(letters).isEmpty();
        duplicates += NaiveWeir.rows(batch).size();
      } else {
        checkRejected(fate, letters);
        checkLate(fate, lateRows);
      }
    }

    private void checkRejected(NaiveWeir.Fate fate, List<DeadLetter> letters) {
      List<String> expected = new ArrayList<>();
      for (NaiveWeir.ReadingFate reading : fate.readings()) {
        if (reading.rejected() != null) {
          foreign += reading.rejected() == RejectReason.NOT_ITS_SENSOR ? 1 : 0;
          expected.add(reading.rejected() + " " + NaiveWeir.plain(reading.reading()));
        }
      }
      List<String> got = new ArrayList<>();
      for (DeadLetter letter : letters) {
        for (Reading row : NaiveWeir.rows(letter.batch())) {
          got.add(letter.reason() + " " + NaiveWeir.plain(row));
        }
      }
      assertThat(got).containsExactlyInAnyOrderElementsOf(expected);
      rejected += got.size();
    }

    private void checkLate(NaiveWeir.Fate fate, List<Reading> lateRows) {
      List<String> expected = new ArrayList<>();
      for (NaiveWeir.ReadingFate reading : fate.readings()) {
        if (reading.rejected() == null && reading.late()) {
          expected.add(NaiveWeir.plain(reading.reading()));
        } else if (reading.rejected() == null) {
          aggregated++;
        }
      }
      assertThat(lateRows.stream().map(NaiveWeir::plain).toList())
          .containsExactlyInAnyOrderElementsOf(expected);
      late += lateRows.size();
    }

    @Override
    public long position() {
      return 0;
    }

    @Override
    public void due(
        NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
      if (overflows(content)) {
        overflowed++;
      }
      int revision = revisions.merge(key, 0, (before, zero) -> before + 1);
      due.add(
          brief(key, reason.name(), revision, content.count(), content.badCount())
              + content.min()
              + content.max());
    }

    @Override
    public void beginsAgain(NaiveWindows.Key key) {
      revisions.remove(key);
    }

    @Override
    public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
      return false;
    }

    /** Everything that was emitted since the last look, and nothing else, was due. */
    private void checkEmissions() {
      List<String> got = new ArrayList<>();
      for (WindowSummary window : weir.windows()) {
        NaiveWindows.Key key =
            new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
        assertThat(window.getWindowEndMs()).isEqualTo(window.getWindowStartMs() + spec.sizeMs());
        assertThat(window.getIsFinal())
            .isEqualTo(window.getCloseReasonValue() == CloseReason.COMPLETE.number());
        latest.put(key, window);
        String reason = window.getCloseReason().name().substring("CLOSE_REASON_".length());
        got.add(
            brief(key, reason, window.getRevision(), window.getCount(), window.getBadCount())
                + window.getMin()
                + window.getMax());
      }
      assertThat(got).containsExactlyInAnyOrderElementsOf(due);
      due.clear();
      statusDue.check(weir);
      weir.rollups().forEach(this::takeRollup);
      rollups.values().forEach(SpansDue::check);
      for (WindowSummary hop : weir.hops()) {
        assertThat(hop.getWindowEndMs() - hop.getWindowStartMs())
            .isEqualTo(spec.hopping().lengthMs());
        hops.take(hop);
      }
      hops.check();
    }

    private void takeRollup(WindowSummary rollup) {
      rollups.get(rollup.getWindowEndMs() - rollup.getWindowStartMs()).take(rollup);
    }

    /** The rollups of one size, or hopping windows: those that were due, and those that came. */
    private static final class SpansDue implements Emissions {
      private final List<String> due = new ArrayList<>();
      private final List<String> got = new ArrayList<>();
      private final Map<NaiveWindows.Key, Integer> revisions = new HashMap<>();
      private final Map<NaiveWindows.Key, WindowSummary> latest = new HashMap<>();
      private long overflowed;

      void take(WindowSummary rollup) {
        NaiveWindows.Key key =
            new NaiveWindows.Key(rollup.getSensorId(), rollup.getWindowStartMs());
        latest.put(key, rollup);
        String reason = rollup.getCloseReason().name().substring("CLOSE_REASON_".length());
        got.add(
            brief(key, reason, rollup.getRevision(), rollup.getCount(), rollup.getBadCount())
                + rollup.getSum());
      }

      void check() {
        assertThat(got).containsExactlyInAnyOrderElementsOf(due);
        got.clear();
        due.clear();
      }

      @Override
      public long position() {
        return 0;
      }

      @Override
      public void due(
          NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
        int revision = revisions.merge(key, 0, (before, zero) -> before + 1);
        overflowed += overflows(content) ? 1 : 0;
        double sum = content.sum().doubleValue();
        due.add(brief(key, reason.name(), revision, content.count(), content.badCount()) + sum);
      }

      @Override
      public void beginsAgain(NaiveWindows.Key key) {
        revisions.remove(key);
      }

      @Override
      public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
        return false;
      }
    }

    /** Whether integral and counter are left out of a summary though their sets are on. */
    private static boolean overflows(NaiveWindows.Window content) {
      int sampled = content.sets() & (StatisticSet.INTEGRAL.bit() | StatisticSet.COUNTER.bit());
      if (sampled == 0 || content.count() == 0) {
        return false;
      }
      WindowSummary fields = content.statistics().expected(sampled);
      return !fields.hasIntegral() && !fields.hasIncrease();
    }

    private static String brief(
        NaiveWindows.Key key, String reason, int revision, long count, long badCount) {
      return key + " " + reason + " r" + revision + " n" + count + " bad" + badCount + " ";
    }

    private void checkBalance() {
      assertThat(aggregated + late + rejected + duplicates).isEqualTo(offered);
      assertThat(weir.counts().readings).isEqualTo(offered);
      assertThat(weir.counts().aggregated).isEqualTo(aggregated);
      assertThat(weir.counts().late).isEqualTo(late);
      assertThat(weir.counts().rejected).isEqualTo(rejected);
      assertThat(weir.counts().duplicate).isEqualTo(duplicates);
      assertThat(weir.counts().attestationsBroken).isEqualTo(naive.broken());
      assertThat(weir.counts().attestationsIgnored).isEqualTo(naive.ignored());
      long ofRollups = rollups.values().stream().mapToLong(size -> size.overflowed).sum();
      assertThat(weir.counts().samplesOverflowed)
          .isEqualTo(overflowed + ofRollups + hops.overflowed);
    }
  }
}

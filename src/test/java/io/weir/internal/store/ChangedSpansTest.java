package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Emissions;
import io.weir.internal.window.Hop;
import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.Omission;
import io.weir.internal.window.Rollup;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSink;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.IdBytes;
import io.weir.reading.Quality;
import io.weir.reading.ReadingColumns;
import io.weir.reading.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/**
 * Restarts with other rollups, hopping windows, statistics, grace and lateness than before, on a
 * partition whose first records may be gone. Whatever is emitted holds all readings of its span
 * that there ever were, those that nobody saw included, in every field; what was final is not
 * emitted again.
 */
class ChangedSpansTest {
  private static final int HISTORIES = Integer.getInteger("weir.histories", 500);
  private static final GatewayRules GATEWAYS = GatewayRules.of(1L << 40);
  private static final WindowLimits LIMITS = WindowLimits.ofSensors(100);
  private static final long SIZE_MS = 10;
  private static final String[] SENSORS = {"a", "b", "c"};
  private static final List<List<Long>> PLANS =
      List.of(
          List.of(), List.of(30L), List.of(30L, 300L), List.of(20L, 60L, 600L), List.of(60L, 300L));

  @Test
  void emissionsAfterAnyChangeOfSettings_areWholeOrNotThere() {
    LongAdder hops = new LongAdder();
    Seeds.forEach(
        HISTORIES,
        random -> {
          History history = new History(random);
          history.run();
          hops.add(history.hops);
        });
    assertThat(hops.sum()).isGreaterThan(10L * HISTORIES);
  }

  @Test
  void rollupsSwitchedOn_whereTheStartIsGone_leaveOutThoseOfTheFirstReadings() {
    WindowSpec off = WindowSpec.of(10, 5, 100, 30, IdleRule.ENDED, 1000).withMarkTtlMs(5000);
    Emissions emissions = new Emissions();
    PartitionState before = new PartitionState(off, GATEWAYS, LIMITS);
    before.observe(1000, 500, Uuid.ZERO_UUID);
    before.windows().apply(new Columns().row("a", 995, 1).build(), 1000, emissions);
    Changelog log = new Changelog();
    before.flush(log);
    WindowSpec on = off.with(RollupPlan.of(10, List.of(30L)));
    PartitionState after = new PartitionState(on, GATEWAYS, LIMITS);
    log.replay(0, after);
    after.resume();
    after.observe(1001, 501, Uuid.ZERO_UUID);
    after.windows().apply(new Columns().row("a", 1100, 1).build(), 1001, emissions);
    assertThat(emissions.brief()).contains("left out ROLLUP").noneMatch(s -> s.contains("+"));
  }

  private record Sample(long timestampMs, double value, int quality) {}

  /**
   * @param kind - for a window, + for a rollup, ~ for a hopping window
   */
  private record Place(char kind, String sensor, long startMs, long sizeMs) {}

  private record Emission(Place place, CloseReason reason, Aggregate values) {}

  /** One history. Times are small numbers, so that every boundary is met often. */
  private static final class History implements WindowSink {
    private final Random random;
    private final boolean sinceStart;
    private final Map<String, List<Sample>> taken = new HashMap<>();
    private final Set<Place> finished = new HashSet<>();
    private final List<Emission> emissions = new ArrayList<>();
    private final Changelog log = new Changelog();
    private WindowSpec spec;
    private PartitionState state;
    private long nowMs = 1_000_000;
    private long eventMs = 999_000;
    private long offset;
    private long hops;

    History(Random random) {
      this.random = random;
      // The first of a small seed is always true.
      random.nextBoolean();
      this.sinceStart = random.nextBoolean();
      this.offset = sinceStart ? 0 : 500;
      this.spec = spec();
      this.state = state();
    }

    private WindowSpec spec() {
      long graceMs = random.nextInt(3) * 20L;
      long latenessMs = random.nextBoolean() ? 0 : random.nextInt(700);
      Map<StatisticSet, List<String>> sets = new EnumMap<>(StatisticSet.class);
      for (StatisticSet set : StatisticSet.values()) {
        if (random.nextInt(3) == 0) {
          sets.put(set, random.nextBoolean() ? List.of() : List.of("a"));
        }
      }
      int mostSamples = random.nextBoolean() ? 10_000 : 1 + random.nextInt(6);
      return WindowSpec.of(SIZE_MS, graceMs, latenessMs, 50, IdleRule.ENDED, 400)
          .withMarkTtlMs(1_500)
          .with(new StatisticsPlan(sets, mostSamples))
          .with(RollupPlan.of(SIZE_MS, PLANS.get(random.nextInt(PLANS.size()))))
          .with(hopping());
    }

    private HoppingPlan hopping() {
      List<String> prefixes = random.nextBoolean() ? List.of() : List.of("a", "b");
      return switch (random.nextInt(4)) {
        case 0 -> HoppingPlan.NONE;
        case 1 -> HoppingPlan.of(SIZE_MS, 20, prefixes);
        case 2 -> HoppingPlan.of(SIZE_MS, 30, prefixes);
        default -> HoppingPlan.of(SIZE_MS, 150, prefixes);
      };
    }

    private PartitionState state() {
      return new PartitionState(spec, GATEWAYS, LIMITS);
    }

    void run() {
      for (int step = 0; step < 80; step++) {
        nowMs += random.nextInt(random.nextInt(10) == 0 ? 500 : 20);
        eventMs += random.nextInt(25);
        if (random.nextInt(30) == 0) {
          eventMs += 300;
        }
        if (random.nextInt(4) > 0) {
          batch();
        } else {
          tick();
        }
        if (random.nextInt(8) == 0) {
          restart();
        }
      }
      for (long passedMs = 0; passedMs < 2_500; passedMs += 50) {
        nowMs += 50;
        tick();
      }
      state.flush(log);
      assertThat(log.keys()).allMatch(key -> key.matches("[MD].*"));
    }

    private void restart() {
      state.flush(log);
      WindowSpec before = spec;
      spec = random.nextInt(3) == 0 ? spec : spec();
      finished.removeIf(place -> place.kind() == '+' && spec.rollups().levelOf(place.sizeMs()) < 0);
      finished.removeIf(place -> place.kind() == '~' && hasOtherHops(before, place.sensor()));
      state = state();
      log.replay(0, state);
      state.resume();
    }

    private boolean hasOtherHops(WindowSpec before, String sensor) {
      byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
      return before.hopping().lengthMs(id) != spec.hopping().lengthMs(id);
    }

    private void observe() {
      state.observe(nowMs, offset, Uuid.ZERO_UUID);
      offset++;
    }

    private void tick() {
      observe();
      upkeep();
    }

    private void upkeep() {
      boolean more = true;
      while (more) {
        more = state.windows().upkeep(state.time(), 2 + random.nextInt(20), this);
        observe();
      }
      check();
      for (String sensor : SENSORS) {
        if (find(sensor) == null) {
          taken.remove(sensor);
          finished.removeIf(place -> place.sensor().equals(sensor));
        }
      }
    }

    private SensorWindows find(String sensor) {
      byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
      return state.windows().find(id, 0, id.length, IdBytes.hash(id, 0, id.length));
    }

    private void batch() {
      Columns rows = new Columns().gateway("g", 1, 1);
      List<String> sensors = new ArrayList<>();
      List<Sample> samples = new ArrayList<>();
      for (int i = random.nextInt(8); i > 0; i--) {
        sensors.add(SENSORS[random.nextInt(SENSORS.length)]);
        Sample sample = sample(eventMs - random.nextInt(random.nextInt(4) == 0 ? 700 : 60));
        samples.add(sample);
        rows.row(
            sensors.get(sensors.size() - 1),
            sample.timestampMs(),
            sample.value(),
            sample.quality());
      }
      if (random.nextInt(4) == 0) {
        rows.complete(SENSORS[random.nextInt(SENSORS.length)], eventMs - random.nextInt(200));
      }
      if (random.nextInt(6) == 0) {
        rows.ordered();
      }
      ReadingColumns batch = rows.build();
      observe();
      Set<String> known = new HashSet<>();
      for (String sensor : SENSORS) {
        if (find(sensor) != null) {
          known.add(sensor);
        }
      }
      state.windows().apply(batch, state.time().logMs(), this);
      for (int i = 0; i < samples.size(); i++) {
        if (batch.verdict(i) == Verdict.ACCEPTED) {
          taken.computeIfAbsent(sensors.get(i), id -> new ArrayList<>()).add(samples.get(i));
        }
      }
      for (String sensor : SENSORS) {
        if (!sinceStart && taken.containsKey(sensor) && !known.contains(sensor)) {
          addUnseen(taken.get(sensor));
        }
      }
      check();
      upkeep();
    }

    private Sample sample(long timestampMs) {
      double value = random.nextInt(9) == 0 ? 1e16 : random.nextGaussian();
      return new Sample(timestampMs, value, random.nextInt(4));
    }

    /** Readings that came before the first record that is still there. */
    private void addUnseen(List<Sample> seen) {
      long newestMs = seen.stream().mapToLong(Sample::timestampMs).max().orElseThrow();
      for (int i = random.nextInt(5); i > 0; i--) {
        seen.add(sample(newestMs - random.nextInt(random.nextBoolean() ? 10 : 300)));
      }
    }

    private void check() {
      emissions.forEach(this::check);
      emissions.clear();
    }

    private void check(Emission emission) {
      Place place = emission.place();
      assertThat(finished).as(place.toString()).doesNotContain(place);
      if (emission.reason().isFinal()) {
        finished.add(place);
      }
      if (place.kind() == '-') {
        return;
      }
      Aggregate got = emission.values();
      int sets = got.statistics() == null ? 0 : got.statistics().sets();
      Aggregate all = new Aggregate(sets == 0 ? null : new Statistics(sets, 1_000_000));
      for (Sample sample : taken.get(place.sensor())) {
        if (sample.timestampMs() < place.startMs()
            || sample.timestampMs() >= place.startMs() + place.sizeMs()) {
          continue;
        }
        if (sample.quality() == Quality.BAD.number()) {
          all.addBad();
        } else {
          all.add(sample.timestampMs(), sample.value(), sample.quality() == 2);
        }
      }
      boolean sums = sets != 0 && got.statistics().hasSums();
      assertThat(describe(got, sums))
          .as(emission.reason() + " " + place)
          .isEqualTo(describe(all, sums));
    }

    private static String describe(Aggregate values, boolean sums) {
      String text = values.count() + " " + values.badCount() + " " + values.sum();
      text += " " + values.min() + " " + values.max();
      Statistics more = values.statistics();
      if (more == null || values.count() == 0) {
        return text;
      }
      if (more.has(StatisticSet.FIRST_LAST)) {
        text += " " + more.firstTimestampMs() + " " + more.first();
        text += " " + more.lastTimestampMs() + " " + more.last();
      }
      if (more.has(StatisticSet.VARIANCE)) {
        text += " " + values.m2();
      }
      text += " " + more.histogram();
      if (more.has(StatisticSet.QUALITY)) {
        text += " " + more.uncertainCount();
      }
      return sums
          ? text + " " + more.integral() + " " + more.increase() + " " + more.resets()
          : text;
    }

    @Override
    public void emit(SensorWindows sensor, Window window, CloseReason reason) {
      emissions.add(
          new Emission(new Place('-', sensor.name(), window.startMs(), SIZE_MS), reason, null));
    }

    @Override
    public void emit(SensorWindows sensor, Rollup rollup, Aggregate values, CloseReason reason) {
      emissions.add(
          new Emission(
              new Place('+', sensor.name(), rollup.startMs(), rollup.sizeMs()), reason, values));
    }

    @Override
    public void emit(SensorWindows sensor, Hop hop, Aggregate values, CloseReason reason) {
      hops++;
      emissions.add(
          new Emission(new Place('~', sensor.name(), hop.startMs(), hop.sizeMs()), reason, values));
    }

    @Override
    public void leftOut(Omission what) {}
  }
}

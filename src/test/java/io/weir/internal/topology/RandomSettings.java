package io.weir.internal.topology;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.lab.oracle.NaiveRules;
import io.weir.reading.GatewayRules;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Settings of a history: times are small numbers, so that every boundary is met often. */
final class RandomSettings {
  private static final long SKEW_MS = 300_000;

  private RandomSettings() {}

  static WindowSpec spec(Random random, long sizeMs) {
    WindowSpec plain =
        WindowSpec.of(
                sizeMs,
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
                RollupPlan.of(
                    sizeMs,
                    List.of((random.nextBoolean() ? 2 : 4) * sizeMs, 12 * sizeMs, 120 * sizeMs)));
    return random.nextBoolean() ? rolled : rolled.with(hopping(random, sizeMs));
  }

  /**
   * As a start may have them after one with others. With longer spans neither statistics change nor
   * does grace grow: a rollup lacks what it did not have from its beginning, and a hopping window
   * that was closed is open again, so that it is emitted later.
   */
  static WindowSpec changed(WindowSpec before, Random random) {
    boolean spans = !before.rollups().sizesMs().isEmpty() || before.hopping().isOn();
    long graceMs = random.nextInt(spans ? (int) before.graceMs() / 5 + 1 : 3) * 5L;
    WindowSpec next =
        WindowSpec.of(
                before.sizeMs(),
                random.nextBoolean() ? before.graceMs() : graceMs,
                random.nextBoolean() ? before.latenessMs() : random.nextInt(200),
                before.idleTimeoutMs(),
                before.idleRule(),
                before.sensorTtlMs())
            .withMarkTtlMs(before.markTtlMs())
            .with(before.rollups())
            .with(before.hopping());
    StatisticsPlan statistics = plan(random).withMostSamples(before.statistics().mostSamples());
    return next.with(spans || random.nextBoolean() ? before.statistics() : statistics);
  }

  static NaiveRules rules(Random random) {
    return new NaiveRules(
        SKEW_MS,
        random.nextInt(3) == 0 ? 60 : 1_000_000,
        random.nextBoolean() ? 50 : 1_000_000,
        1 + random.nextInt(4),
        1 + random.nextInt(4),
        1 + random.nextInt(4),
        random.nextBoolean() ? 1 + random.nextInt(6) : 10_000);
  }

  private static HoppingPlan hopping(Random random, long sizeMs) {
    List<String> prefixes = random.nextBoolean() ? List.of() : List.of("sensor-1", "sensor-2");
    int more = random.nextInt(random.nextBoolean() ? 5 : 59);
    return HoppingPlan.of(sizeMs, (2 + more) * sizeMs, prefixes);
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

  /** As the topology takes them. */
  static TopologySettings settings(WindowSpec spec, NaiveRules rules) {
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
}

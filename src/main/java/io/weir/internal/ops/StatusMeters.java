package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.weir.internal.alarm.SensorState;
import io.weir.internal.alarm.StatusCounts;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/** Meters of status and alarms. Safe for many threads. */
final class StatusMeters {
  private static final Set<SensorState> REPORTED =
      EnumSet.complementOf(EnumSet.of(SensorState.UNKNOWN));

  private final Map<SensorState, Counter> reported = new EnumMap<>(SensorState.class);
  private final Counter[] active = new Counter[StatusCounts.PRIORITIES];
  private final Counter[] cleared = new Counter[StatusCounts.PRIORITIES];
  private final Map<Integer, Counts> partitions = new ConcurrentHashMap<>();

  private record Counts(Map<SensorState, Integer> sensors, int[] alarms) {}

  StatusMeters(MeterRegistry registry) {
    for (SensorState state : REPORTED) {
      Tags tags = Tags.of("state", state.name().toLowerCase(Locale.ROOT));
      reported.put(state, counter(RunMetric.STATUS, tags, registry));
      gauge(RunMetric.SENSORS_BY_STATE, tags, counts -> counts.sensors().get(state), registry);
    }
    for (int priority = 0; priority < StatusCounts.PRIORITIES; priority++) {
      int index = priority;
      Tags tags = Tags.of("priority", String.valueOf(priority));
      active[index] = counter(RunMetric.ALARMS, tags.and("turn", "active"), registry);
      cleared[index] = counter(RunMetric.ALARMS, tags.and("turn", "cleared"), registry);
      gauge(RunMetric.ALARMS_ACTIVE, tags, counts -> counts.alarms()[index], registry);
    }
  }

  private static Counter counter(Metric metric, Tags tags, MeterRegistry registry) {
    return Counter.builder(metric.meterName())
        .description(metric.meaning())
        .tags(tags)
        .register(registry);
  }

  /** A sum over all partitions. */
  private void gauge(
      Metric metric, Tags tags, ToIntFunction<Counts> count, MeterRegistry registry) {
    Gauge.builder(
            metric.meterName(),
            partitions,
            all -> all.values().stream().mapToLong(count::applyAsInt).sum())
        .description(metric.meaning())
        .tags(tags)
        .register(registry);
  }

  void status(SensorState state) {
    reported.get(state).increment();
  }

  void alarm(int priority, boolean isActive) {
    (isActive ? active : cleared)[priority].increment();
  }

  void partition(int partition, StatusCounts counts) {
    Map<SensorState, Integer> sensors = new EnumMap<>(SensorState.class);
    REPORTED.forEach(state -> sensors.put(state, counts.in(state)));
    int[] alarms = new int[StatusCounts.PRIORITIES];
    for (int priority = 0; priority < alarms.length; priority++) {
      alarms[priority] = counts.active(priority);
    }
    partitions.put(partition, new Counts(sensors, alarms));
  }

  void gone(int partition) {
    partitions.remove(partition);
  }
}

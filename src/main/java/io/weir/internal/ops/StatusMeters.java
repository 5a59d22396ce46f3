package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.alarm.SensorState;
import io.weir.internal.alarm.StatusCounts;
import java.util.EnumMap;
import java.util.EnumSet;
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
    Registration meters = new Registration(registry);
    for (SensorState state : REPORTED) {
      String word = Registration.word(state);
      reported.put(state, meters.counter(RunMetric.STATUS, "state", word));
      meters.gauge(
          RunMetric.SENSORS_BY_STATE,
          this,
          of -> of.sum(c -> c.sensors().get(state)),
          "state",
          word);
    }
    for (int priority = 0; priority < StatusCounts.PRIORITIES; priority++) {
      int index = priority;
      String word = String.valueOf(priority);
      active[index] = meters.counter(RunMetric.ALARMS, "priority", word, "turn", "active");
      cleared[index] = meters.counter(RunMetric.ALARMS, "priority", word, "turn", "cleared");
      meters.gauge(
          RunMetric.ALARMS_ACTIVE, this, of -> of.sum(c -> c.alarms()[index]), "priority", word);
    }
  }

  private double sum(ToIntFunction<Counts> count) {
    return partitions.values().stream().mapToLong(count::applyAsInt).sum();
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

package io.weir.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.reading.RejectReason;
import io.weir.topology.Measures;
import io.weir.window.CloseReason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the topology does, as meters: the catalogue. Counters count since the start of the process;
 * what an aborted transaction did is counted again when it is done again. A call costs an addition
 * or two. Safe for many threads.
 */
public final class Meters implements Measures {
  /** Readings by what became of them: aggregated, late, duplicate, rejected (with its reason). */
  public static final String READINGS = "weir.readings";

  /** Batches that were decoded, whatever became of them. */
  public static final String BATCHES = "weir.batches";

  /** Records that are no batch, by reason: how many readings were in them nobody knows. */
  public static final String UNDECODABLE = "weir.records.undecodable";

  /** Summaries emitted, by close reason. */
  public static final String WINDOWS = "weir.windows";

  /** Sensors in the state of this process, marks of forgotten ones included. */
  public static final String SENSORS = "weir.sensors";

  /** Batches that gateways skipped and that have not come: now, not since the start. */
  public static final String LOST_BATCHES = "weir.batches.lost";

  private final Counter batches;
  private final Counter aggregated;
  private final Counter late;
  private final Counter duplicate;
  private final Map<RejectReason, Counter> rejected = new EnumMap<>(RejectReason.class);
  private final Map<RejectReason, Counter> undecodable = new EnumMap<>(RejectReason.class);
  private final Map<CloseReason, Counter> windows = new EnumMap<>(CloseReason.class);
  private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>();

  private record Partition(int sensors, long lostBatches) {}

  /** Registers all of them, at zero. */
  public Meters(MeterRegistry registry) {
    batches = Counter.builder(BATCHES).register(registry);
    aggregated = readings(registry, "aggregated", "");
    late = readings(registry, "late", "");
    duplicate = readings(registry, "duplicate", "");
    for (RejectReason reason : RejectReason.values()) {
      if (reason.scope() == RejectReason.Scope.RECORD) {
        undecodable.put(
            reason, Counter.builder(UNDECODABLE).tag("reason", reason.name()).register(registry));
      } else {
        rejected.put(reason, readings(registry, "rejected", reason.name()));
      }
    }
    for (CloseReason reason : CloseReason.values()) {
      String tag = reason.name().toLowerCase(Locale.ROOT);
      windows.put(reason, Counter.builder(WINDOWS).tag("reason", tag).register(registry));
    }
    Gauge.builder(SENSORS, this, Meters::sensors).register(registry);
    Gauge.builder(LOST_BATCHES, this, Meters::lostBatches).register(registry);
  }

  private static Counter readings(MeterRegistry registry, String outcome, String reason) {
    return Counter.builder(READINGS)
        .tag("outcome", outcome)
        .tag("reason", reason)
        .register(registry);
  }

  @Override
  public void batch(int readings) {
    batches.increment();
  }

  @Override
  public void aggregated(int readings) {
    aggregated.increment(readings);
  }

  @Override
  public void late(int readings) {
    late.increment(readings);
  }

  @Override
  public void duplicate(int readings) {
    duplicate.increment(readings);
  }

  @Override
  public void rejected(RejectReason reason, int readings) {
    rejected.get(reason).increment(readings);
  }

  @Override
  public void undecodable(RejectReason reason) {
    undecodable.get(reason).increment();
  }

  @Override
  public void window(CloseReason reason) {
    windows.get(reason).increment();
  }

  @Override
  public void partition(int partition, int sensors, long lostBatches) {
    partitions.put(partition, new Partition(sensors, lostBatches));
  }

  @Override
  public void partitionGone(int partition) {
    partitions.remove(partition);
  }

  /** Sensors in the state now. */
  public int sensors() {
    return partitions.values().stream().mapToInt(Partition::sensors).sum();
  }

  /** Batches that are missing now. */
  public long lostBatches() {
    return partitions.values().stream().mapToLong(Partition::lostBatches).sum();
  }
}

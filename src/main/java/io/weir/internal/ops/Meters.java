package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.internal.alarm.SensorState;
import io.weir.internal.alarm.StatusCounts;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.topology.Measures;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Omission;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.RejectReason;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/**
 * The counters of the topology, as meters of the {@link Metric} catalogue. Counters start with the
 * process; work of an aborted transaction counts again when it is repeated. A call costs an
 * addition or two. Safe for many threads.
 */
public final class Meters implements Measures {
  private static final Duration[] LAG_BUCKETS = {
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(15),
    Duration.ofHours(1),
    Duration.ofHours(6),
    Duration.ofDays(1)
  };

  private final Registration meters;
  private final Counter batches;
  private final Counter aggregated;
  private final Counter late;
  private final Counter duplicate;
  private final Counter gatewayResets;
  private final Counter withheld;
  private final Counter windowsWithheld;
  private final Counter windowsLeft;
  private final Counter deletedUnread;
  private final Counter appendTimeWentBack;
  private final Counter unsigned;
  private final GatewaysFileMeters gatewaysFile;
  private final Counter lostForGood;
  private final Counter samplesOverflowed;
  private final Timer watermarkLag;
  private final Map<RejectReason, Counter> rejected = new EnumMap<>(RejectReason.class);
  private final Map<RejectReason, Counter> undecodable = new EnumMap<>(RejectReason.class);
  private final Map<CloseReason, Counter> windows;
  private final Map<IgnoredAttestation, Counter> attestationsIgnored;
  private final Counter attestationsBroken;
  private final Map<CloseReason, Counter> rollups;
  private final Map<CloseReason, Counter> hops;
  private final Map<Omission, Counter> leftOut = new EnumMap<>(Omission.class);
  private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>();
  private final LostBatches lostBatches = new LostBatches();
  private final MultiGauge lostByGateway;
  private final HotBoard hot;
  private final MultiGauge hotShare;
  private final StatusMeters statuses;

  private final Map<Integer, CapsUsed> capsUsed = new ConcurrentHashMap<>();

  private record Partition(int sensors, long windows) {}

  private record CapsUsed(double sensors, double gateways, double sensorsOfOneGateway) {}

  /** Registers all meters, at zero. */
  public Meters(MeterRegistry registry) {
    this(registry, new HotBoard());
  }

  /**
   * Registers all meters, at zero.
   *
   * @param hot receives the sensors and gateways with the most readings
   */
  public Meters(MeterRegistry registry, HotBoard hot) {
    this.hot = hot;
    this.meters = new Registration(registry);
    batches = meters.counter(RunMetric.BATCHES);
    aggregated = readings("aggregated", "");
    late = readings("late", "");
    withheld = readings("late", RejectReason.WITHHELD.name());
    windowsWithheld = meters.counter(RunMetric.WINDOWS_WITHHELD, "reason", "deleted");
    windowsLeft = meters.counter(RunMetric.WINDOWS_WITHHELD, "reason", "published");
    deletedUnread = meters.counter(RunMetric.DELETED_UNREAD);
    duplicate = readings("duplicate", "");
    unsigned = meters.counter(RunMetric.BATCHES_UNSIGNED);
    gatewaysFile = new GatewaysFileMeters(registry);
    lostForGood = meters.counter(RunMetric.BATCHES_LOST_FOR_GOOD);
    gatewayResets = meters.counter(RunMetric.GATEWAY_RESETS);
    appendTimeWentBack = meters.counter(RunMetric.APPEND_TIME_BACK);
    samplesOverflowed = meters.counter(RunMetric.SAMPLES_OVERFLOWED);
    for (RejectReason reason : RejectReason.values()) {
      if (reason.scope() == RejectReason.Scope.RECORD) {
        undecodable.put(reason, meters.counter(RunMetric.UNDECODABLE, "reason", reason.name()));
      } else if (reason != RejectReason.WITHHELD) {
        rejected.put(reason, readings("rejected", reason.name()));
      }
    }
    windows = meters.counters(RunMetric.WINDOWS, "reason", CloseReason.class);
    rollups = meters.counters(RunMetric.ROLLUPS, "reason", CloseReason.class);
    hops = meters.counters(RunMetric.HOPPING, "reason", CloseReason.class);
    for (Omission what : Omission.values()) {
      leftOut.put(what, omitted(what));
    }
    attestationsIgnored =
        meters.counters(RunMetric.ATTESTATIONS_IGNORED, "cause", IgnoredAttestation.class);
    attestationsBroken = meters.counter(RunMetric.ATTESTATIONS_BROKEN);
    watermarkLag = meters.histogram(RunMetric.WATERMARK_LAG, LAG_BUCKETS);
    meters.gauge(RunMetric.SENSORS, this, Meters::sensors);
    meters.gauge(RunMetric.OPEN_WINDOWS, this, Meters::openWindows);
    capUsed("max_sensors", CapsUsed::sensors);
    capUsed("max_gateways", CapsUsed::gateways);
    capUsed("max_sensors_per_gateway", CapsUsed::sensorsOfOneGateway);
    lostByGateway = meters.rows(RunMetric.BATCHES_LOST);
    hotShare = meters.rows(RunMetric.HOT_SHARE);
    statuses = new StatusMeters(registry);
    refresh();
  }

  private void capUsed(String cap, ToDoubleFunction<CapsUsed> used) {
    meters.gauge(
        RunMetric.CAP_USED,
        capsUsed,
        all -> all.values().stream().mapToDouble(used).max().orElse(0),
        "cap",
        cap);
  }

  private Counter readings(String outcome, String reason) {
    return meters.counter(RunMetric.READINGS, "outcome", outcome, "reason", reason);
  }

  /** Updates the series of gateways and partitions; to be called before the meters are read. */
  public void refresh() {
    lostByGateway.register(
        lostBatches.top().entrySet().stream()
            .map(
                gateway ->
                    MultiGauge.Row.of(Tags.of("gateway", gateway.getKey()), gateway.getValue()))
            .toList(),
        true);
    hotShare.register(
        hot.minutes().stream()
            .map(
                minute ->
                    MultiGauge.Row.of(
                        Tags.of("partition", Integer.toString(minute.partition())), minute.share()))
            .toList(),
        true);
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
  public void withheld(int readings) {
    withheld.increment(readings);
  }

  @Override
  public void windowsWithheld(long windows) {
    windowsWithheld.increment(windows);
  }

  @Override
  public void windowsLeft(long windows) {
    windowsLeft.increment(windows);
  }

  @Override
  public void deletedUnread(long records) {
    deletedUnread.increment(records);
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
  public void unsigned() {
    unsigned.increment();
  }

  @Override
  public void gatewaysFile(boolean accepted) {
    gatewaysFile.seen(accepted);
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
  public void attestationsIgnored(IgnoredAttestation cause, int attestations) {
    attestationsIgnored.get(cause).increment(attestations);
  }

  @Override
  public void attestationsBroken(int readings) {
    attestationsBroken.increment(readings);
  }

  @Override
  public void samplesOverflowed() {
    samplesOverflowed.increment();
  }

  @Override
  public void rollup(CloseReason reason) {
    rollups.get(reason).increment();
  }

  @Override
  public void hop(CloseReason reason) {
    hops.get(reason).increment();
  }

  private Counter omitted(Omission what) {
    return switch (what) {
      case ROLLUP -> meters.counter(RunMetric.ROLLUPS_LEFT_OUT, "what", "rollup");
      case STATISTICS -> meters.counter(RunMetric.ROLLUPS_LEFT_OUT, "what", "statistics");
      case HOP -> meters.counter(RunMetric.HOPPING_LEFT_OUT, "what", "window");
      case HOP_STATISTICS -> meters.counter(RunMetric.HOPPING_LEFT_OUT, "what", "statistics");
    };
  }

  @Override
  public void leftOut(Omission what) {
    leftOut.get(what).increment();
  }

  @Override
  public void status(SensorState state) {
    statuses.status(state);
  }

  @Override
  public void alarm(int priority, boolean active) {
    statuses.alarm(priority, active);
  }

  @Override
  public void statuses(int partition, StatusCounts counts) {
    statuses.partition(partition, counts);
  }

  @Override
  public void watermarkLag(long lagMs) {
    watermarkLag.record(Math.max(0, lagMs), TimeUnit.MILLISECONDS);
  }

  @Override
  public void appendTimeWentBack() {
    appendTimeWentBack.increment();
  }

  @Override
  public void partition(int partition, int sensors, long openWindows) {
    partitions.put(partition, new Partition(sensors, openWindows));
  }

  @Override
  public void capsUsed(int partition, double sensors, double gateways, double sensorsOfOneGateway) {
    capsUsed.put(partition, new CapsUsed(sensors, gateways, sensorsOfOneGateway));
  }

  @Override
  public void hot(HotMinute minute) {
    hot.put(minute);
  }

  @Override
  public void missingBatches(int partition, Map<String, Long> byGateway) {
    lostBatches.put(partition, byGateway);
  }

  @Override
  public void batchesLostForGood(long batches) {
    lostForGood.increment(batches);
  }

  @Override
  public void gatewayReset() {
    gatewayResets.increment();
  }

  @Override
  public void partitionGone(int partition) {
    partitions.remove(partition);
    capsUsed.remove(partition);
    statuses.gone(partition);
    lostBatches.remove(partition);
    hot.gone(partition);
  }

  private long sensors() {
    return partitions.values().stream().mapToLong(Partition::sensors).sum();
  }

  private long openWindows() {
    return partitions.values().stream().mapToLong(Partition::windows).sum();
  }

  /** Meters of status and alarms. Safe for many threads. */
  static final class StatusMeters {
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
}

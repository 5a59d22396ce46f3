package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.weir.internal.event.FoldReason;
import io.weir.internal.event.Timers;
import io.weir.internal.group.Groups;
import io.weir.internal.topology.EventMeasures;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counters of events, as meters. Safe for many threads. */
public final class EventMeters extends IntakeMeters implements EventMeasures {
  static final Duration[] LATENESS_BUCKETS = {
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10),
    Duration.ofHours(1)
  };

  private final Map<FoldReason, Counter> folds;
  private final Map<Timers.Outcome, Counter> ordered;
  private final Counter foldedEvents;
  private final Counter reopened;
  private final Timer lateness;
  private final Map<Integer, Integer> waiting = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> folding = new ConcurrentHashMap<>();
  private final Map<Groups.Outcome, Counter> parts;
  private final Counter firstEmissions;
  private final Counter laterEmissions;
  private final Counter keptDrops;
  private final Counter earlyDrops;
  private final Counter leftOut;
  private final Map<Integer, Integer> grouping = new ConcurrentHashMap<>();
  private final Map<Source, Map<Integer, Long>> bytes = new EnumMap<>(Source.class);

  /** Registers those whose labels are known, at zero. */
  public EventMeters(MeterRegistry registry) {
    super(registry);
    folds = meters.counters(EventMetric.EVENT_FOLDS, "reason", FoldReason.class);
    foldedEvents = meters.counter(EventMetric.EVENTS_FOLDED);
    reopened = meters.counter(EventMetric.EVENT_FOLD_REOPENED);
    parts = meters.counters(EventMetric.GROUP_PARTS, "outcome", Groups.Outcome.class);
    firstEmissions = meters.counter(EventMetric.GROUP_EMISSIONS, "again", "false");
    laterEmissions = meters.counter(EventMetric.GROUP_EMISSIONS, "again", "true");
    keptDrops = meters.counter(EventMetric.GROUP_DROPS, "reason", "keep");
    earlyDrops = meters.counter(EventMetric.GROUP_DROPS, "reason", "room");
    leftOut = meters.counter(EventMetric.GROUP_DROPS, "reason", "left_out");
    Source.OF_EVENTS.forEach(this::expect);
    for (Source source : List.of(Source.EVENTS, Source.SCHEDULED, Source.GROUPS)) {
      bytes.put(source, new ConcurrentHashMap<>());
      meters.gauge(
          EventMetric.EVENT_LARGEST_PARTITION,
          bytes.get(source),
          EventMeters::largest,
          "topic",
          Registration.word(source));
    }
    ordered = meters.counters(EventMetric.EVENT_TIMERS_ORDERED, "outcome", Timers.Outcome.class);
    lateness = meters.histogram(EventMetric.EVENT_TIMER_LATENESS, LATENESS_BUCKETS);
    meters.gauge(EventMetric.EVENT_TIMERS_WAITING, waiting, EventMeters::sum);
    meters.gauge(EventMetric.EVENT_KEYS, folding, EventMeters::sum);
    meters.gauge(EventMetric.GROUP_WINDOWS, grouping, EventMeters::sum);
    meters.gauge(EventMetric.EVENT_FOLD_RATIO, this, EventMeters::ratio);
  }

  private static double sum(Map<Integer, Integer> byPartition) {
    return byPartition.values().stream().mapToLong(Integer::longValue).sum();
  }

  private static double largest(Map<Integer, Long> byPartition) {
    return byPartition.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private double ratio() {
    double into = foldedEvents.count();
    double out = folds.values().stream().mapToDouble(Counter::count).sum();
    return into == 0 ? 0 : 1 - out / into;
  }

  @Override
  public void ordered(Timers.Outcome outcome) {
    ordered.get(outcome).increment();
  }

  @Override
  public void fired(long lateMs) {
    lateness.record(lateMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public void folded(FoldReason reason, long events) {
    folds.get(reason).increment();
    foldedEvents.increment(events);
  }

  @Override
  public void reopened() {
    reopened.increment();
  }

  @Override
  public void waiting(int partition, int timers, long timerBytes) {
    waiting.put(partition, timers);
    bytes.get(Source.SCHEDULED).put(partition, timerBytes);
  }

  @Override
  public void folding(int partition, int keys, long foldBytes) {
    folding.put(partition, keys);
    bytes.get(Source.EVENTS).put(partition, foldBytes);
  }

  @Override
  public void grouped(Groups.Outcome outcome) {
    parts.get(outcome).increment();
  }

  @Override
  public void groupEmitted(boolean again) {
    (again ? laterEmissions : firstEmissions).increment();
  }

  @Override
  public void groupDropped(boolean early) {
    (early ? earlyDrops : keptDrops).increment();
  }

  @Override
  public void groupsLeftOut(int windows) {
    leftOut.increment(windows);
  }

  @Override
  public void grouping(int partition, int windows, long windowBytes) {
    grouping.put(partition, windows);
    bytes.get(Source.GROUPS).put(partition, windowBytes);
  }

  @Override
  public void gone(Source source, int partition) {
    Map<Integer, Integer> gauge =
        switch (source) {
          case EVENTS -> folding;
          case SCHEDULED -> waiting;
          case GROUPS, GROUP_PARTS -> grouping;
        };
    gauge.remove(partition);
    bytes.get(source).remove(partition);
  }
}

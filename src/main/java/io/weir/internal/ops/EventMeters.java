package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
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

  private final Map<FoldReason, Counter> folds = new EnumMap<>(FoldReason.class);
  private final Map<Timers.Outcome, Counter> ordered = new EnumMap<>(Timers.Outcome.class);
  private final Counter foldedEvents;
  private final Counter reopened;
  private final Timer lateness;
  private final Map<Integer, Integer> waiting = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> folding = new ConcurrentHashMap<>();
  private final Map<Groups.Outcome, Counter> parts = new EnumMap<>(Groups.Outcome.class);
  private final Counter firstEmissions;
  private final Counter laterEmissions;
  private final Counter keptDrops;
  private final Counter earlyDrops;
  private final Map<Integer, Integer> grouping = new ConcurrentHashMap<>();
  private final Map<Source, Map<Integer, Long>> bytes = new EnumMap<>(Source.class);

  /** Registers those whose labels are known, at zero. */
  public EventMeters(MeterRegistry registry) {
    super(registry);
    for (FoldReason reason : FoldReason.values()) {
      folds.put(reason, counter(EventMetric.EVENT_FOLDS, Tags.of("reason", word(reason))));
    }
    foldedEvents = counter(EventMetric.EVENTS_FOLDED, Tags.empty());
    reopened = counter(EventMetric.EVENT_FOLD_REOPENED, Tags.empty());
    for (Groups.Outcome outcome : Groups.Outcome.values()) {
      parts.put(outcome, counter(EventMetric.GROUP_PARTS, Tags.of("outcome", word(outcome))));
    }
    firstEmissions = counter(EventMetric.GROUP_EMISSIONS, Tags.of("again", "false"));
    laterEmissions = counter(EventMetric.GROUP_EMISSIONS, Tags.of("again", "true"));
    keptDrops = counter(EventMetric.GROUP_DROPS, Tags.of("reason", "keep"));
    earlyDrops = counter(EventMetric.GROUP_DROPS, Tags.of("reason", "room"));
    for (Source source : Source.OF_EVENTS) {
      expect(source);
    }
    for (Source source : List.of(Source.EVENTS, Source.SCHEDULED, Source.GROUPS)) {
      bytes.put(source, new ConcurrentHashMap<>());
      Gauge.builder(
              EventMetric.EVENT_LARGEST_PARTITION.meterName(),
              bytes.get(source),
              EventMeters::largest)
          .description(EventMetric.EVENT_LARGEST_PARTITION.meaning())
          .tags("topic", word(source))
          .register(registry);
    }
    for (Timers.Outcome outcome : Timers.Outcome.values()) {
      ordered.put(
          outcome, counter(EventMetric.EVENT_TIMERS_ORDERED, Tags.of("outcome", word(outcome))));
    }
    lateness =
        Timer.builder(EventMetric.EVENT_TIMER_LATENESS.meterName())
            .description(EventMetric.EVENT_TIMER_LATENESS.meaning())
            .serviceLevelObjectives(LATENESS_BUCKETS)
            .register(registry);
    Gauge.builder(EventMetric.EVENT_TIMERS_WAITING.meterName(), waiting, EventMeters::sum)
        .description(EventMetric.EVENT_TIMERS_WAITING.meaning())
        .register(registry);
    Gauge.builder(EventMetric.EVENT_KEYS.meterName(), folding, EventMeters::sum)
        .description(EventMetric.EVENT_KEYS.meaning())
        .register(registry);
    Gauge.builder(EventMetric.GROUP_WINDOWS.meterName(), grouping, EventMeters::sum)
        .description(EventMetric.GROUP_WINDOWS.meaning())
        .register(registry);
    Gauge.builder(EventMetric.EVENT_FOLD_RATIO.meterName(), this, EventMeters::ratio)
        .description(EventMetric.EVENT_FOLD_RATIO.meaning())
        .register(registry);
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

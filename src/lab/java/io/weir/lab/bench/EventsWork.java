package io.weir.lab.bench;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.EventApplication;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.EventMeters;
import io.weir.internal.ops.EventMetric;
import io.weir.internal.ops.Metric;
import io.weir.lab.GroupLag;
import io.weir.lab.TemporaryDirectory;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/**
 * {@code weir events} as it is started for production. Where it folds, an event is done when the
 * offset behind it is committed; where it schedules, when it came due.
 */
final class EventsWork implements Work {
  private final Task task;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WeirConfig config;
  private final Admin admin;
  private final GroupLag lag;
  private final Counter received;
  private final Timer fired;
  private final Gauge waiting;
  private StreamsApplication application;
  private double mostWaiting;
  private final EventMeters meters;

  EventsWork(Task task) {
    this.task = task;
    this.config =
        WeirConfig.of(
            new Properties(),
            RunTopics.kafkaVariables(),
            EventTopics.options(task, directory.path()));
    this.admin = Admin.create(config.kafka().forAdmin());
    this.lag = new GroupLag(admin, task.run(), task.topic());
    this.meters = new EventMeters(registry);
    this.received =
        registry
            .get(EventMetric.EVENTS_RECEIVED.meterName())
            .tags("topic", "events", "outcome", "received")
            .counter();
    this.fired = registry.get(EventMetric.EVENT_TIMER_LATENESS.meterName()).timer();
    this.waiting = registry.get(EventMetric.EVENT_TIMERS_WAITING.meterName()).gauge();
  }

  @Override
  public void start() {
    application = EventApplication.start(config, meters);
    if (isScheduling()) {
      RestoreWork.awaitAll(application);
      MeasuredProcess.say(WeirWork.READY);
    }
  }

  private boolean isScheduling() {
    return task.subject() == Subject.TIMERS;
  }

  @Override
  public long processed() {
    if (application == null) {
      return 0;
    }
    application
        .ended()
        .getNow(Optional.empty())
        .ifPresent(
            reason -> {
              throw new IllegalStateException(reason);
            });
    if (!isScheduling()) {
      return (long) received.count();
    }
    mostWaiting = Math.max(mostWaiting, waiting.value());
    return fired.count();
  }

  @Override
  public boolean settled() {
    return lag.records() == 0;
  }

  @Override
  public Figures extras() {
    double refused =
        sum(EventMetric.EVENTS_RECEIVED, "rejected") + sum(EventMetric.EVENTS_UNDECODABLE, "");
    if (refused > 0) {
      throw new IllegalStateException((long) refused + " events were refused");
    }
    double bytes = ChangelogSent.by(application.streams()).bytes();
    Figures figures =
        Figures.of(Map.of(Figure.CHANGELOG_BYTES_PER_READING, bytes / task.readings()));
    return isScheduling()
        ? figures.with(Figure.MOST_WAITING, mostWaiting)
        : figures.with(Figure.FOLDS, sum(EventMetric.EVENT_FOLDS, ""));
  }

  private double sum(Metric metric, String outcome) {
    return registry.find(metric.meterName()).counters().stream()
        .filter(counter -> outcome.isEmpty() || outcome.equals(counter.getId().getTag("outcome")))
        .mapToDouble(Counter::count)
        .sum();
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      if (application != null) {
        application.close();
      }
    }
  }
}

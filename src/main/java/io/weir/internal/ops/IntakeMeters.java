package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.topology.IntakeMeasures;
import io.weir.reading.RejectReason;
import java.util.Locale;

/** Counters of records from topics of events, as meters. Safe for many threads. */
abstract class IntakeMeters implements IntakeMeasures {
  private final MeterRegistry registry;
  private final Counter wentBack;
  private final Counter deletedUnread;
  private final Counter unsigned;
  private final GatewaysFileMeters gatewaysFile;

  IntakeMeters(MeterRegistry registry) {
    this.registry = registry;
    wentBack = counter(RunMetric.APPEND_TIME_BACK, Tags.empty());
    deletedUnread = counter(RunMetric.DELETED_UNREAD, Tags.empty());
    unsigned = counter(RunMetric.BATCHES_UNSIGNED, Tags.empty());
    gatewaysFile = new GatewaysFileMeters(registry);
  }

  /** Registers the counters of a topic, at zero. */
  final void expect(Source source) {
    events(source, 0);
    duplicate(source, 0);
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  final Counter counter(Metric metric, Tags tags) {
    return Counter.builder(metric.meterName())
        .description(metric.meaning())
        .tags(tags)
        .register(registry);
  }

  private Counter received(Source source, String outcome, String reason) {
    return counter(
        EventMetric.EVENTS_RECEIVED,
        Tags.of("topic", word(source), "outcome", outcome, "reason", reason));
  }

  @Override
  public final void events(Source source, int events) {
    received(source, "received", "").increment(events);
  }

  @Override
  public final void duplicate(Source source, int events) {
    received(source, "duplicate", "").increment(events);
  }

  @Override
  public final void refused(Source source, RejectReason reason, int events) {
    received(source, "rejected", reason.name()).increment(events);
  }

  @Override
  public final void refused(Source source, EventRefusal reason, int events) {
    received(source, "rejected", reason.name()).increment(events);
  }

  @Override
  public final void undecodable(Source source, RejectReason reason) {
    counter(EventMetric.EVENTS_UNDECODABLE, Tags.of("topic", word(source), "reason", reason.name()))
        .increment();
  }

  @Override
  public final void unsigned(Source source) {
    unsigned.increment();
  }

  @Override
  public final void gatewaysFile(boolean accepted) {
    gatewaysFile.seen(accepted);
  }

  @Override
  public final void deletedUnread(long records) {
    deletedUnread.increment(records);
  }

  @Override
  public final void appendTimeWentBack() {
    wentBack.increment();
  }
}

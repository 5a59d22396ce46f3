package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.topology.IntakeMeasures;
import io.weir.reading.RejectReason;

/** Counters of records from topics of events, as meters. Safe for many threads. */
abstract class IntakeMeters implements IntakeMeasures {
  final Registration meters;
  private final Counter wentBack;
  private final Counter deletedUnread;
  private final Counter unsigned;
  private final GatewaysFileMeters gatewaysFile;

  IntakeMeters(MeterRegistry registry) {
    meters = new Registration(registry);
    wentBack = meters.counter(RunMetric.APPEND_TIME_BACK);
    deletedUnread = meters.counter(RunMetric.DELETED_UNREAD);
    unsigned = meters.counter(RunMetric.BATCHES_UNSIGNED);
    gatewaysFile = new GatewaysFileMeters(registry);
  }

  /** Registers the counters of a topic, at zero. */
  final void expect(Source source) {
    events(source, 0);
    duplicate(source, 0);
  }

  private Counter received(Source source, String outcome, String reason) {
    return meters.counter(
        EventMetric.EVENTS_RECEIVED,
        "topic",
        Registration.word(source),
        "outcome",
        outcome,
        "reason",
        reason);
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
    meters
        .counter(
            EventMetric.EVENTS_UNDECODABLE,
            "topic",
            Registration.word(source),
            "reason",
            reason.name())
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

package io.weir.ops;

import java.util.List;

/** {@code weir events} and handlers of events: timers, folds, groups, keys. */
public enum EventMetric implements Metric {
  EVENTS_RECEIVED(
      "weir.events.received",
      Kind.COUNTER,
      "events",
      List.of("topic", "outcome", "reason"),
      "weir events: events of its two topics: received, of these duplicate or rejected with its"
          + " reason"),
  EVENTS_UNDECODABLE(
      "weir.events.undecodable",
      Kind.COUNTER,
      "records",
      List.of("topic", "reason"),
      "weir events: records that are no batch of events"),
  EVENT_TIMERS_ORDERED(
      "weir.events.timers.ordered",
      Kind.COUNTER,
      "timers",
      List.of("outcome"),
      "weir events: what became of scheduled events when they came: scheduled, replaced, cancelled,"
          + " nothing_to_cancel, too_many"),
  EVENT_TIMERS_WAITING(
      "weir.events.timers.waiting",
      Kind.GAUGE,
      "timers",
      List.of(),
      "weir events: scheduled events that wait in the partitions of this process"),
  EVENT_TIMER_LATENESS(
      "weir.events.timer.lateness",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "weir events: how long after its due time each scheduled event was written"),
  EVENT_FOLDS(
      "weir.events.folds",
      Kind.COUNTER,
      "folds",
      List.of("reason"),
      "weir events: folds emitted, by reason: quiet, max_hold, limit"),
  EVENTS_FOLDED(
      "weir.events.folded",
      Kind.COUNTER,
      "events",
      List.of(),
      "weir events: events that these folds are made of; 1 - folds / events is the folding ratio"),
  EVENT_FOLD_RATIO(
      "weir.events.fold.ratio",
      Kind.GAUGE,
      "0 to 1",
      List.of(),
      "weir events: the folding ratio since the process started: the part of the events that readers"
          + " of folds are spared"),
  EVENT_FOLD_REOPENED(
      "weir.events.fold.reopened",
      Kind.COUNTER,
      "folds",
      List.of(),
      "weir events: keys that had another event within one quiet time after they had rested: where"
          + " they are many, weir.fold.quiet is too short"),
  EVENT_KEYS(
      "weir.events.keys",
      Kind.GAUGE,
      "keys",
      List.of(),
      "weir events: keys that have a fold in the partitions of this process"),
  GROUP_PARTS(
      "weir.groups.parts",
      Kind.COUNTER,
      "summaries",
      List.of("outcome"),
      "weir events: summaries of sensors that came to their groups: taken, unchanged (they say what"
          + " the one before said), and without effect: window_dropped (after weir.groups.keep, or"
          + " dropped for room), too_many_sensors (beyond weir.groups.max.sensors)"),
  GROUP_EMISSIONS(
      "weir.groups.emissions",
      Kind.COUNTER,
      "windows",
      List.of("again"),
      "weir events: summaries of windows of groups that were emitted; again: true where the window"
          + " had been before"),
  GROUP_DROPS(
      "weir.groups.dropped",
      Kind.COUNTER,
      "windows",
      List.of("reason"),
      "weir events: windows of groups that take no changes any more: keep is the ordinary end, room"
          + " says that weir.groups.max.bytes is too small"),
  GROUP_WINDOWS(
      "weir.groups.windows",
      Kind.GAUGE,
      "windows",
      List.of(),
      "weir events: windows of groups that are kept in the partitions of this process"),
  EVENT_LARGEST_PARTITION(
      "weir.events.largest.partition.bytes",
      Kind.GAUGE,
      "bytes",
      List.of("topic"),
      "weir events: memory of what waits in the partition that holds most: of scheduled up to"
          + " weir.timers.max.bytes, then events are refused; of events up to weir.fold.max.bytes,"
          + " then folds are emitted early; of groups up to weir.groups.max.bytes, then windows are"
          + " dropped early"),
  HANDLER_CALLS(
      "weir.handlers.calls",
      Kind.COUNTER,
      "calls",
      List.of("call"),
      "handlers: calls of a program's handlers that returned: start, event, end"),
  HANDLER_FAILURES(
      "weir.handlers.failures",
      Kind.COUNTER,
      "calls",
      List.of("call"),
      "handlers: calls that threw an exception; each is a dead letter, reason HANDLER or HANDLER_RETRY"),
  HANDLER_KEYS(
      "weir.handlers.keys",
      Kind.GAUGE,
      "keys",
      List.of(),
      "handlers: keys that live in the partitions of this process"),
  HANDLER_TIMERS_WAITING(
      "weir.handlers.timers.waiting",
      Kind.GAUGE,
      "timers",
      List.of(),
      "handlers: events that handlers have scheduled and that wait in the partitions of this process"),
  HANDLER_TIMER_LATENESS(
      "weir.handlers.timer.lateness",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "handlers: how long after its due time each scheduled event was handled"),
  HANDLER_EVENTS_WAITING(
      "weir.handlers.events.waiting",
      Kind.GAUGE,
      "events",
      List.of(),
      "handlers: events that wait for the start of their key in the partitions of this process");

  private final MetricSpec spec;

  EventMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}

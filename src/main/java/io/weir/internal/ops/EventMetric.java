package io.weir.internal.ops;

import java.util.List;

/** {@code weir events} and handlers of events: timers, folds, groups, keys. */
public enum EventMetric implements Metric {
  EVENTS_RECEIVED(
      "weir.events.received",
      Kind.COUNTER,
      "events",
      List.of("topic", "outcome", "reason"),
      "events received on its two topics; of these duplicate, or rejected with" + " the reason"),
  EVENTS_UNDECODABLE(
      "weir.events.undecodable",
      Kind.COUNTER,
      "records",
      List.of("topic", "reason"),
      "records that are not valid batches of events, or marks without an order (UNKNOWN_RESET)"),
  EVENT_TIMERS_ORDERED(
      "weir.events.timers.ordered",
      Kind.COUNTER,
      "timers",
      List.of("outcome"),
      "scheduled events by outcome on arrival: scheduled, replaced, cancelled,"
          + " nothing_to_cancel, too_many"),
  EVENT_TIMERS_WAITING(
      "weir.events.timers.waiting",
      Kind.GAUGE,
      "timers",
      List.of(),
      "scheduled events that are pending in the partitions of this process"),
  EVENT_TIMER_LATENESS(
      "weir.events.timer.lateness",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "delay between the due time of a scheduled event and its write"),
  EVENT_FOLDS(
      "weir.events.folds",
      Kind.COUNTER,
      "folds",
      List.of("reason"),
      "emitted folds by reason: quiet, max_hold, limit"),
  EVENTS_FOLDED(
      "weir.events.folded",
      Kind.COUNTER,
      "events",
      List.of(),
      "events in emitted folds; the folding ratio is 1 - folds / events"),
  EVENT_FOLD_RATIO(
      "weir.events.fold.ratio",
      Kind.GAUGE,
      "0 to 1",
      List.of(),
      "folding ratio since the start of the process: the share of events that"
          + " folding saves for consumers"),
  EVENT_FOLD_REOPENED(
      "weir.events.fold.reopened",
      Kind.COUNTER,
      "folds",
      List.of(),
      "keys with another event within one quiet period after their fold; if"
          + " there are many, weir.fold.quiet is too short"),
  EVENT_KEYS(
      "weir.events.keys",
      Kind.GAUGE,
      "keys",
      List.of(),
      "keys with an open fold in the partitions of this process"),
  GROUP_PARTS(
      "weir.groups.parts",
      Kind.COUNTER,
      "summaries",
      List.of("outcome"),
      "sensor summaries by effect on their group: taken, unchanged (same as the"
          + " one before), window_dropped (after weir.groups.keep, or dropped for memory),"
          + " left_out (the window may lack parts that Kafka deleted unread),"
          + " too_many_sensors (above weir.groups.max.sensors)"),
  GROUP_EMISSIONS(
      "weir.groups.emissions",
      Kind.COUNTER,
      "windows",
      List.of("again"),
      "emitted group windows; again: true if the window was emitted before"),
  GROUP_DROPS(
      "weir.groups.dropped",
      Kind.COUNTER,
      "windows",
      List.of("reason"),
      "group windows that no longer change: keep is the regular end, room means that "
          + "weir.groups.max.bytes is too small, left_out that parts may be missing, deleted "
          + "by Kafka unread"),
  GROUP_WINDOWS(
      "weir.groups.windows",
      Kind.GAUGE,
      "windows",
      List.of(),
      "group windows in the state of this process"),
  EVENT_LARGEST_PARTITION(
      "weir.events.largest.partition.bytes",
      Kind.GAUGE,
      "bytes",
      List.of("topic"),
      "memory of the largest partition: scheduled up to weir.timers.max.bytes"
          + " (then events are refused), events up to weir.fold.max.bytes (then folds are"
          + " emitted early), groups up to weir.groups.max.bytes (then windows are dropped"
          + " early)"),
  HANDLER_CALLS(
      "weir.handlers.calls",
      Kind.COUNTER,
      "calls",
      List.of("call"),
      "handler calls that returned: start, event, end"),
  HANDLER_FAILURES(
      "weir.handlers.failures",
      Kind.COUNTER,
      "calls",
      List.of("call"),
      "handler calls that threw an exception; each is a dead letter with reason"
          + " HANDLER or HANDLER_RETRY"),
  HANDLER_DELETIONS(
      "weir.handlers.deletions",
      Kind.COUNTER,
      "marks",
      List.of("outcome"),
      "marks of orders to delete a key by outcome: deleted, not_alive, copy (skipped: the order"
          + " was carried out before)"),
  HANDLER_KEYS(
      "weir.handlers.keys",
      Kind.GAUGE,
      "keys",
      List.of(),
      "live keys in the partitions of this process"),
  HANDLER_TIMERS_WAITING(
      "weir.handlers.timers.waiting",
      Kind.GAUGE,
      "timers",
      List.of(),
      "events scheduled by handlers that are pending in the partitions of this" + " process"),
  HANDLER_TIMER_LATENESS(
      "weir.handlers.timer.lateness",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "delay between the due time of a scheduled event and its handling"),
  HANDLER_EVENTS_WAITING(
      "weir.handlers.events.waiting",
      Kind.GAUGE,
      "events",
      List.of(),
      "events in the partitions of this process that wait for the start of their" + " key"),
  HANDLER_LARGEST_PARTITION(
      "weir.handlers.largest.partition.bytes",
      Kind.GAUGE,
      "bytes",
      List.of(),
      "memory of the keys and states of the largest partition, up to weir.handlers.max.bytes;"
          + " beyond it new keys are refused and larger states fail their calls");

  private final MetricSpec spec;

  EventMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}

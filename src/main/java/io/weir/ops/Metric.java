package io.weir.ops;

import io.weir.edge.PublisherMetrics;
import java.util.List;

/**
 * The catalogue of metrics: each name, kind, unit, label and meaning stands here and nowhere else,
 * but for the names that the publisher, which knows no application, brings itself. Labels take
 * values from a bounded set.
 */
public enum Metric {
  READINGS(
      "weir.readings",
      Kind.COUNTER,
      "readings",
      List.of("outcome", "reason"),
      "readings by what became of them: aggregated, late, duplicate, or rejected with its reason"),
  BATCHES(
      "weir.batches",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches that were decoded, whatever became of them"),
  UNDECODABLE(
      "weir.records.undecodable",
      Kind.COUNTER,
      "records",
      List.of("reason"),
      "records that are no batch; how many readings were in them nobody knows"),
  BATCHES_UNSIGNED(
      "weir.batches.unsigned",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches without signature that were accepted, with weir.signing=verify: 0 before it is set"
          + " to require"),
  GATEWAYS_FILE_VERSIONS(
      "weir.gateways.file.versions",
      Kind.COUNTER,
      "versions",
      List.of("outcome"),
      "versions of weir.gateways.file that were seen: accepted, or refused while the one before holds"
          + " on"),
  GATEWAYS_FILE_REFUSED(
      "weir.gateways.file.refused",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "1 while weir.gateways.file cannot be used as it stands, and an earlier version holds"),
  WINDOWS(
      "weir.windows",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "summaries emitted, by close reason: event_time, idle, amended, complete"),
  ATTESTATIONS_IGNORED(
      "weir.attestations.ignored",
      Kind.COUNTER,
      "attestations",
      List.of("cause"),
      "what gateways said about completeness and was not acted on: gap (a batch before it is"
          + " missing), unsequenced, redriven, invalid, future, misrouted, not_its_sensor,"
          + " unknown_sensor"),
  ATTESTATIONS_BROKEN(
      "weir.attestations.broken",
      Kind.COUNTER,
      "readings",
      List.of(),
      "late readings for windows of which a gateway had said that they are complete; they are"
          + " among the late ones"),
  SAMPLES_OVERFLOWED(
      "weir.samples.overflowed",
      Kind.COUNTER,
      "summaries",
      List.of(),
      "summaries, of windows and of longer spans, emitted without integral, increase and resets, though"
          + " these are switched on: a window has more readings than weir.samples.max"),
  ROLLUPS(
      "weir.rollups",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "summaries of rollups emitted, by close reason: event_time, idle, amended, complete"),
  ROLLUPS_LEFT_OUT(
      "weir.rollups.left.out",
      Kind.COUNTER,
      "rollups",
      List.of("what"),
      "rollups that were not emitted (rollup), or not with all statistics (statistics), since what"
          + " came before rollups or statistics were switched on is not in them"),
  HOPPING(
      "weir.hopping",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "summaries of hopping windows emitted, by close reason: event_time, idle, amended, complete"),
  HOPPING_LEFT_OUT(
      "weir.hopping.left.out",
      Kind.COUNTER,
      "windows",
      List.of("what"),
      "hopping windows that were not emitted (window), or not with all statistics (statistics),"
          + " since what came before they or statistics were switched on is not in them"),
  STATUS(
      "weir.status",
      Kind.COUNTER,
      "records",
      List.of("state"),
      "records of sensors' status told, by state: started, silent, resumed, finished"),
  SENSORS_BY_STATE(
      "weir.sensors.by.state",
      Kind.GAUGE,
      "sensors",
      List.of("state"),
      "sensors in each state, where status or rules are on: started, silent, resumed, finished"),
  ALARMS(
      "weir.alarms",
      Kind.COUNTER,
      "turns",
      List.of("priority", "turn"),
      "alarms that became active and that cleared, by priority, 0 being the most urgent"),
  ALARMS_ACTIVE(
      "weir.alarms.active",
      Kind.GAUGE,
      "alarms",
      List.of("priority"),
      "alarms that are active, by priority, 0 being the most urgent"),
  WATERMARK_LAG(
      "weir.watermark.lag",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "for each batch, its append time minus the newest event time of its sensors; 0 if that is"
          + " ahead"),
  APPEND_TIME_BACK(
      "weir.append.time.back",
      Kind.COUNTER,
      "records",
      List.of(),
      "records whose append time is behind that of the record before them in their partition: the"
          + " clocks of its leaders differ"),
  BATCHES_LOST(
      "weir.batches.lost",
      Kind.GAUGE,
      "batches",
      List.of("gateway"),
      "batches that gateways skipped, that have not come and still may: the gateways that lack"
          + " most by name, the others summed as "
          + LostBatches.REST),
  BATCHES_LOST_FOR_GOOD(
      "weir.batches.lost.for.good",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches that gateways skipped and that did not come before they were forgotten"),
  GATEWAY_RESETS(
      "weir.gateway.resets",
      Kind.COUNTER,
      "resets",
      List.of(),
      "gateways whose sequences were cleared in a partition of this process; 64 in all processes"
          + " together for each weir gateway reset"),
  OPEN_WINDOWS(
      "weir.windows.open",
      Kind.GAUGE,
      "windows",
      List.of(),
      "windows in the state: open, or closed and kept for late readings; counted every 30 s"),
  SENSORS(
      "weir.sensors",
      Kind.GAUGE,
      "sensors",
      List.of(),
      "sensors in the state, marks of forgotten ones included"),
  CAP_USED(
      "weir.cap.used",
      Kind.GAUGE,
      "0 to 1",
      List.of("cap"),
      "how much of max_sensors, max_gateways and max_sensors_per_gateway is used in this process's"
          + " fullest partition; at 1 new ones are refused; counted every 30 s"),
  HOT_SHARE(
      "weir.hot.share",
      Kind.GAUGE,
      "0 to 1",
      List.of("partition"),
      "the part of a partition's readings that its heaviest sensor gave in the last whole minute of"
          + " log time; /hot and weir hot name it"),
  PARTITIONS(
      "weir.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions of the readings that this process aggregates; 64 in all processes together"),
  CONSUMER_LAG(
      "weir.consumer.lag",
      Kind.GAUGE,
      "records",
      List.of(),
      "records appended to this process's partitions and not read yet"),
  COMMITS(
      "weir.commits",
      Kind.COUNTER,
      "commits",
      List.of(),
      "transactions committed, by all threads; none while there is lag means that nothing moves"),
  COMMIT_LATENCY(
      "weir.commit.latency",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "the longest that a thread's commit took of late"),
  COMMIT_AGE(
      "weir.commit.age",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "for how long the partition that waits for longest has not been committed; a silent one is"
          + " committed every 30 s, so that more than a minute means that something stands still"),
  PROCESSING_DELAY(
      "weir.processing.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "how old the newest processed record is, by its append time, of the partition that is"
          + " furthest behind; 0 where nothing waits"),
  RETENTION_USED(
      "weir.retention.used",
      Kind.GAUGE,
      "0 to 1",
      List.of(),
      "of the records that the readings topic keeps of a partition, the share that is not read yet,"
          + " in the partition where it is largest; at 1 the next one that is deleted is unread"),
  OUTPUT_BLOCKED(
      "weir.output.blocked",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "for how long readers of committed records have not got on in an output or the changelog,"
          + " for a transaction that nobody will end, or in the readings, for one that somebody"
          + " keeps open; 0 while there is none"),
  TOPIC_WARNINGS(
      "weir.topic.warnings",
      Kind.GAUGE,
      "settings",
      List.of(),
      "settings of topics, replicas among them, that are not as they should be; the log names each"),
  RESTORE_REMAINING(
      "weir.restore.remaining",
      Kind.GAUGE,
      "records",
      List.of(),
      "changelog records still to be read before restoring partitions are aggregated again"),
  RESTORE_PARTITIONS(
      "weir.restore.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions whose state is being restored"),
  STATE(
      "weir.state",
      Kind.GAUGE,
      "1 or 0",
      List.of("state"),
      "1 for the state that Kafka Streams is in, such as RUNNING, REBALANCING or ERROR"),
  READY("weir.ready", Kind.GAUGE, "1 or 0", List.of(), "1 while /readyz says yes"),
  THREADS_ALIVE(
      "weir.threads.alive", Kind.GAUGE, "threads", List.of(), "stream threads that are not dead"),
  THREADS_DIED(
      "weir.threads.died",
      Kind.COUNTER,
      "threads",
      List.of(),
      "stream threads that died of an error and were replaced; more than eight in ten minutes, or"
          + " four for each thread, end the process, outages of the brokers aside"),
  BUILD("weir.build.info", Kind.INFO, "1", List.of("version", "revision"), "what is running"),

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
      "handlers: calls that threw an exception; the event of each is a dead letter, reason HANDLER"),
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
      "handlers: events that wait for the start of their key in the partitions of this process"),
  SINK_RECORDS(
      "weir.sink.records",
      Kind.COUNTER,
      "records",
      List.of("topic"),
      "sink: records whose transactions are committed, rejects included"),
  SINK_REJECTS(
      "weir.sink.rejects",
      Kind.COUNTER,
      "records",
      List.of("reason"),
      "sink: records that have no place in their table; each stands in weir_sink_rejects"),
  SINK_TRANSACTIONS(
      "weir.sink.transactions", Kind.TIMER, "seconds", List.of(), "sink: transactions committed"),
  SINK_LAG(
      "weir.sink.lag",
      Kind.GAUGE,
      "records",
      List.of(),
      "sink: records appended to this process's partitions and not written yet"),
  SINK_DELAY(
      "weir.sink.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "sink: how old the oldest record is, by its append time, that was read and is not written; 0"
          + " where nothing waits"),
  SINK_PARTITIONS(
      "weir.sink.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "sink: partitions that this process writes; 64 for each topic in all processes together"),
  SINK_CONNECTED(
      "weir.sink.connected",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "sink: 1 while there is a connection to the database"),
  SINK_RECONNECTS(
      "weir.sink.reconnects",
      Kind.COUNTER,
      "connections",
      List.of(),
      "sink: connections to the database that were made again"),
  SINK_FENCED(
      "weir.sink.fenced",
      Kind.COUNTER,
      "partitions",
      List.of(),
      "sink: partitions that another process had taken over when they were to be written; nothing"
          + " is lost by that"),
  SINK_LOST(
      "weir.sink.lost",
      Kind.COUNTER,
      "offsets",
      List.of(),
      "sink: offsets that were deleted before they were written, and skipped by --skip-lost"),
  COLLECT_ROWS(
      "weir.collect.rows",
      Kind.COUNTER,
      "rows",
      List.of("kind"),
      "collect: rows of the outbox that are sent, or in flight: readings, events, scheduled"),
  COLLECT_REJECTS(
      "weir.collect.rejects",
      Kind.COUNTER,
      "rows",
      List.of("reason"),
      "collect: rows that are no reading and no event; each stands in weir_outbox_rejects"),
  COLLECT_BATCHES(
      "weir.collect.batches",
      Kind.TIMER,
      "seconds",
      List.of(),
      "collect: from the commit of what is sent to its acknowledgement"),
  COLLECT_RESENT(
      "weir.collect.resent",
      Kind.COUNTER,
      "batches",
      List.of(),
      "collect: batches that were in flight when it began or connected again, and were sent again;"
          + " each counts once"),
  COLLECT_BEHIND(
      "weir.collect.behind",
      Kind.GAUGE,
      "rows",
      List.of(),
      "collect: rows that wait in the outbox, counted every 10 s, up to 100,000 of each priority"),
  COLLECT_DELAY(
      "weir.collect.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "collect: how long ago the transaction of the oldest row that waits began, about; 0 where"
          + " nothing waits"),
  COLLECT_HELD_BACK(
      "weir.collect.held.back",
      Kind.GAUGE,
      "seconds",
      List.of("by"),
      "collect: how long rows have been held back by a transaction that does not end, a prepared"
          + " one, or one that may not be seen (unknown); the log names it"),
  COLLECT_BUDGET_WAITED(
      "weir.collect.budget.waited",
      Kind.COUNTER,
      "seconds",
      List.of(),
      "collect: time in which rows waited for weir.collect.max.rate"),
  COLLECT_LIMIT(
      "weir.collect.limit",
      Kind.GAUGE,
      "rows",
      List.of(),
      "collect: rows of a batch, as the limit stands; it moves with weir.collect.adaptive"),
  COLLECT_ACTIVE(
      "weir.collect.active",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "collect: 1 in the process that collects, 0 in one that stands by"),
  COLLECT_CONNECTED(
      "weir.collect.connected",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "collect: 1 while there is a connection to the database"),
  COLLECT_RECONNECTS(
      "weir.collect.reconnects",
      Kind.COUNTER,
      "connections",
      List.of(),
      "collect: connections to the database that were made again"),
  COLLECT_FENCED(
      "weir.collect.fenced",
      Kind.COUNTER,
      "times",
      List.of(),
      "collect: how often another process had taken over from this one; nothing is lost by that"),

  PUBLISHER_QUEUE(
      PublisherMetrics.QUEUE_READINGS,
      Kind.GAUGE,
      "readings",
      List.of("gateway"),
      "edge: accepted and not acknowledged; near the capacity, offers are suspended"),
  PUBLISHER_QUEUE_CAPACITY(
      PublisherMetrics.QUEUE_CAPACITY,
      Kind.GAUGE,
      "readings",
      List.of("gateway"),
      "edge: the most that may be accepted and not acknowledged"),
  PUBLISHER_OFFERS(
      PublisherMetrics.OFFERS,
      Kind.COUNTER,
      "readings",
      List.of("gateway", "outcome"),
      "edge: offers by outcome: accepted, suspended (the brokers do not keep up), closed,"
          + " refused_..."),
  PUBLISHER_BATCHES(
      PublisherMetrics.BATCHES,
      Kind.COUNTER,
      "batches",
      List.of("gateway"),
      "edge: batches sent, each counted once"),
  PUBLISHER_BATCH_READINGS(
      PublisherMetrics.BATCH_READINGS,
      Kind.SUMMARY,
      "readings",
      List.of("gateway"),
      "edge: readings in a batch"),
  PUBLISHER_BYTES(
      PublisherMetrics.BYTES,
      Kind.COUNTER,
      "bytes",
      List.of("gateway"),
      "edge: batches before compression, each counted once"),
  PUBLISHER_ACKNOWLEDGEMENT(
      PublisherMetrics.ACKNOWLEDGEMENT,
      Kind.TIMER,
      "seconds",
      List.of("gateway"),
      "edge: from a batch's first offer to its acknowledgement"),
  PUBLISHER_RESENDS(
      PublisherMetrics.RESENDS,
      Kind.COUNTER,
      "batches",
      List.of("gateway"),
      "edge: batches sent again after a failure"),
  PUBLISHER_REPLACEMENTS(
      PublisherMetrics.REPLACEMENTS,
      Kind.COUNTER,
      "producers",
      List.of("gateway"),
      "edge: producers given up and replaced; at a rate, nothing may be getting through"),
  PUBLISHER_HELD(
      PublisherMetrics.HELD_PARTITIONS,
      Kind.GAUGE,
      "partitions",
      List.of("gateway"),
      "edge: partitions that stand still: their next batch is refused as too large, or they have no"
          + " leader"),
  PUBLISHER_QUEUE_BYTES(
      PublisherMetrics.QUEUE_BYTES,
      Kind.GAUGE,
      "bytes",
      List.of("gateway"),
      "edge: memory that accepted readings take at most"),
  PUBLISHER_UNABLE(
      PublisherMetrics.UNABLE_SECONDS,
      Kind.GAUGE,
      "seconds",
      List.of("gateway"),
      "edge: for how long nothing has got through to the brokers"),
  PUBLISHER_OPEN_FAILURES(
      PublisherMetrics.OPEN_FAILURES,
      Kind.COUNTER,
      "attempts",
      List.of("gateway"),
      "edge: attempts to make a producer that failed"),
  PUBLISHER_DEAD_LETTERS(
      PublisherMetrics.DEAD_LETTERS,
      Kind.COUNTER,
      "records",
      List.of("gateway", "reason"),
      "edge: dead letters of what this start sent, where the publisher watches for them"),
  PUBLISHER_DROPPED(
      PublisherMetrics.DROPPED,
      Kind.COUNTER,
      "readings",
      List.of("gateway"),
      "edge: dropped, the oldest first, as the spool was full"),
  PUBLISHER_OUT_OF_ORDER(
      PublisherMetrics.OUT_OF_ORDER,
      Kind.COUNTER,
      "readings",
      List.of("gateway"),
      "edge, with weir.ordered: accepted although one of their sensor was newer; they may be late"),
  PUBLISHER_ATTESTATIONS(
      PublisherMetrics.ATTESTATIONS,
      Kind.COUNTER,
      "attestations",
      List.of("gateway"),
      "edge: accepted by complete(...)"),
  PUBLISHER_ATTESTATIONS_WITHHELD(
      PublisherMetrics.ATTESTATIONS_WITHHELD,
      Kind.COUNTER,
      "attestations",
      List.of("gateway"),
      "edge: accepted and never sent, as batches of their partition were given up; until the next"
          + " start windows there wait for grace");

  /** What kind of metric it is. */
  public enum Kind {
    /** Only rises, from 0 at the start of the process. */
    COUNTER,
    /** What is now. */
    GAUGE,
    /** Durations in buckets, with count and sum. */
    HISTOGRAM,
    /** Durations: count, sum, and the longest of late. */
    TIMER,
    /** Amounts: count, sum, and the largest of late. */
    SUMMARY,
    /** Always 1: the labels tell. */
    INFO
  }

  private final String meterName;
  private final Kind kind;
  private final String unit;
  private final List<String> labels;
  private final String meaning;

  Metric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.meterName = meterName;
    this.kind = kind;
    this.unit = unit;
    this.labels = labels;
    this.meaning = meaning;
  }

  /** Its name in a meter registry, with dots. */
  public String meterName() {
    return meterName;
  }

  public Kind kind() {
    return kind;
  }

  public String unit() {
    return unit;
  }

  /** Names of its labels. */
  public List<String> labels() {
    return labels;
  }

  /** One line for a person. */
  public String meaning() {
    return meaning;
  }

  /** Whether {@code weir events} has it, and not {@code weir run}. */
  public boolean isOfEvents() {
    return meterName.startsWith("weir.events.");
  }

  /** Whether a gateway's publisher brings it, and not the application. */
  public boolean isOfPublisher() {
    return meterName.startsWith("weir.publisher.");
  }

  /** Its name at {@code /metrics}; a histogram's parts add _bucket, _count, _sum and _max. */
  public String prometheusName() {
    String name = meterName.replace('.', '_');
    return switch (kind) {
      case COUNTER -> name + "_total";
      case HISTOGRAM, TIMER -> name + "_seconds";
      case GAUGE -> unit.equals("seconds") ? name + "_seconds" : name;
      case SUMMARY, INFO -> name;
    };
  }
}

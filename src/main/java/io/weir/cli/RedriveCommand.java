package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.AcceptedLosses;
import io.weir.internal.app.Keys;
import io.weir.internal.app.RunningLives;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.redrive.KnownOffsets;
import io.weir.internal.redrive.Lives;
import io.weir.internal.redrive.RecordFilter;
import io.weir.internal.redrive.Redrive;
import io.weir.internal.redrive.RedriveReport;
import io.weir.internal.redrive.RedriveRequest;
import io.weir.internal.redrive.ResendOutcome;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.time.MonotonicClock;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir redrive}: sends late readings and dead letters of readings and events again. */
@Command(
    name = "redrive",
    description = "Send late readings, dead letters or events to their topic again, each once.",
    footer = {
      "",
      "Sends readings to the partitions of their sensors, whatever partition their record was",
      "in. Marks the sent records on the topic <topic>.redriven in the same transaction: a",
      "second run, after a kill or by mistake, sends only unmarked records. Late readings are",
      "late again: an evicted window stays evicted. A reset with a longer weir.allowed.lateness",
      "counts those that weir.readings still has. Never redrive before a reset: the readings may",
      "count twice after it. Skips records from before a reset, because the running application",
      "(weir.application.id) read their batches again. Exceptions: events, and dead letters of",
      "batches that it has not read. WITHHELD readings (Kafka deleted records unread) need",
      "--reason WITHHELD and an accepted loss in their partition (weir accept-loss). Readings of",
      "windows that were published before a reset are not sent: that window stays the newest",
      "record. Records that an earlier redrive sent and that were refused again need --returned.",
      "A sequenced batch that was refused as a whole keeps its sequence: if a copy of it was",
      "counted, it is a duplicate.",
      "FENCED and STALE_SEQUENCE would be refused again and need --reason, as do UNSIGNED,",
      "BAD_SIGNATURE, EXPIRED_KEY and REVOKED: check first that they are not forged. With",
      "weir.signing.keys.file the batches are signed.",
      "events: dead letters of single events, such as HANDLER, to the partitions of their keys.",
      "Only the application that refused an event handles it again: if it does not run, its",
      "events need --yes. EXPIRED_EVENT needs --reason, and is sent without expires_ms;",
      "HANDLER_RETRY comes again without a redrive.",
      "Exit status: 0 done, 1 failed, or no matching record was sent, 2 wrong usage.",
      "",
      "Examples:",
      "  weir redrive dead-letters --reason MISROUTED --dry-run",
      "  weir redrive dead-letters --reason FUTURE_TIMESTAMP,UNDECODABLE --since 6h",
      "  weir redrive events --reason HANDLER --since 2h",
      "  weir redrive late --gateway line-7 --since 2026-11-20T00:00:00Z"
    })
final class RedriveCommand extends ClusterCommand {
  /** Limits a transaction: read_committed consumers of the readings wait for its end. */
  private static final Map<String, Object> SMALL_STEPS =
      Map.of(
          ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
          "200",
          ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
          String.valueOf(4 << 20));

  @Parameters(
      paramLabel = "KIND",
      description = "late, dead-letters or events.",
      converter = RedriveKind.Converter.class)
  private RedriveKind kind;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      split = ",",
      description = "Only dead letters with these reasons; for late readings: WITHHELD.",
      converter = RedriveKind.Reason.class)
  private List<Enum<?>> reasons = List.of();

  @Option(
      names = "--gateway",
      paramLabel = "ID",
      description = "Only records of this gateway; repeatable.")
  private Set<String> gateways = Set.of();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only records written since then: 2026-11-21T12:00:00Z, or 2h ago.")
  private Instant since = Instant.EPOCH;

  @Option(names = "--until", paramLabel = "TIME", description = "Only records written before then.")
  private Instant until = Instant.ofEpochMilli(Long.MAX_VALUE);

  @Option(names = "--dry-run", description = "Count without sending.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description = "Send again, without sequences; readings may count twice.")
  private boolean force;

  @Option(
      names = "--not-a-window",
      paramLabel = "OFFSETS",
      converter = RedriveKind.Offsets.class,
      description = RedriveKind.Offsets.DESCRIPTION)
  private List<KnownOffsets> noWindows = List.of();

  @Option(
      names = "--returned",
      description = "Also send readings that were late or refused again after an earlier redrive.")
  private boolean returned;

  @Option(
      names = "--yes",
      description =
          "Continue if the application does not run, or did not write the newest windows.")
  private boolean yes;

  RedriveCommand() {
    super(
        TopicKeys.with(
            List.of(
                Keys.BOOTSTRAP_SERVERS,
                Keys.APPLICATION_ID,
                WindowKeys.MAX_FUTURE_SKEW,
                SigningKeys.KEYS_FILE),
            User.REDRIVE));
  }

  @Override
  int run(WeirConfig config) {
    StopSignal stop = StopSignal.install(() -> {});
    RedriveProgress progress =
        new RedriveProgress(spec().commandLine().getErr(), stop::isStopped, MonotonicClock::millis);
    try (Admin admin = Connections.admin(config.kafka())) {
      Redrive redrive =
          new Redrive(request(config), clients(config, admin), System::currentTimeMillis);
      RedriveReport report = redrive.run(progress);
      print(report);
      return status(report);
    }
  }

  @Override
  void checkUsage() {
    if (kind == RedriveKind.LATE && !Set.of(RejectReason.WITHHELD).containsAll(reasons)) {
      throw wrongUsage("--reason: expected: WITHHELD or nothing for late readings");
    }
    for (Enum<?> reason : reasons) {
      if (kind == RedriveKind.EVENTS != reason instanceof EventRefusal
          && !RedriveKind.isOfBoth(reason.name())) {
        throw wrongUsage("--reason " + reason + ": expected: a reason of " + kind);
      }
    }
    if (!since.isBefore(until)) {
      throw wrongUsage("--since " + since + ": expected: a time before --until " + until);
    }
  }

  private RedriveRequest request(WeirConfig config) {
    RecordFilter filter =
        new RecordFilter(
            Set.copyOf(reasons),
            gateways,
            since.toEpochMilli(),
            until.toEpochMilli(),
            kind == RedriveKind.EVENTS ? Set.of() : eventTopics(config));
    return new RedriveRequest(
        config.nameOf(kind.topic()),
        config.topics().readings(),
        kind == RedriveKind.EVENTS ? Optional.empty() : Optional.of(config.topics().control()),
        kind == RedriveKind.EVENTS ? Optional.empty() : Optional.of(config.topics().windows()),
        filter,
        kind == RedriveKind.EVENTS ? eventTopics(config) : Set.of(),
        noWindows,
        config.limits(),
        config.windows().maxFutureSkew().toMillis(),
        force,
        returned,
        dryRun);
  }

  private static Set<String> eventTopics(WeirConfig config) {
    return Set.of(config.nameOf(Topic.EVENTS), config.nameOf(Topic.SCHEDULED));
  }

  /** With the topics of events, whether or not they are enabled here. */
  private TopicNames topicsOf(WeirConfig config) {
    TopicNames topics = config.topics();
    if (kind == RedriveKind.EVENTS) {
      for (Topic topic : List.of(Topic.EVENTS, Topic.SCHEDULED)) {
        topics = topics.with(topic, config.nameOf(topic));
      }
    }
    return topics.ofRedrive(kind.topic());
  }

  private Redrive.Clients clients(WeirConfig config, Admin admin) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    TopicAdmin topics = new TopicAdmin(admin, topicsOf(config), config.topicOptions());
    AcceptedLosses losses =
        new AcceptedLosses(config.topics().control(), () -> Connections.reader(config, Map.of()));
    Map<Integer, List<Gap>> accepted = new HashMap<>();
    Map<String, Boolean> running = new HashMap<>();
    boolean asks = kind != RedriveKind.EVENTS && !force;
    Lives lives =
        new Lives(
            config.applicationId(),
            asks ? lives(config, admin) : Map.of(),
            yes,
            () -> runningLives(config, admin));
    return new Redrive.Clients(
        topics,
        () -> Connections.reader(config, SMALL_STEPS),
        config.kafka().forProducer(),
        settings -> new KafkaProducer<>(settings, bytes, bytes),
        ValueFormat.of(config.values()),
        config.signing().currentMaster(System.currentTimeMillis()),
        (partition, gap) ->
            accepted
                .computeIfAbsent(
                    partition,
                    one ->
                        topics
                            .id(config.topics().readings())
                            .map(id -> losses.of(config.applicationId(), id, one))
                            .map(found -> found.stream().map(Gap::of).toList())
                            .orElse(List.of()))
                .stream()
                .anyMatch(one -> one.covers(gap)),
        lives,
        id -> yes || running.computeIfAbsent(id, one -> RunningLives.hasMembers(admin, one)));
  }

  private Map<Integer, RunningLife> lives(WeirConfig config, Admin admin) {
    printError("application " + config.applicationId() + ": sending the records that it wrote");
    if (!yes && !RunningLives.hasMembers(admin, config.applicationId())) {
      throw new KafkaException(
          "application "
              + config.applicationId()
              + " does not run, and another one may have replaced it: start it, or set"
              + " weir.application.id to the one that runs; --yes goes on without");
    }
    Map<Integer, RunningLife> lives = runningLives(config, admin);
    if (lives.isEmpty()) {
      throw new KafkaException(
          "application "
              + config.applicationId()
              + " has committed nothing of "
              + config.topics().readings()
              + ", so redrive cannot tell which records it wrote: start it first, or set"
              + " weir.application.id to the one that runs; --force sends all, and they may count"
              + " twice");
    }
    return lives;
  }

  private static Map<Integer, RunningLife> runningLives(WeirConfig config, Admin admin) {
    return RunningLives.of(admin, config.applicationId(), config.topics().readings());
  }

  private void print(RedriveReport report) {
    RedriveSummary summary = new RedriveSummary(report);
    summary.remarks(kind).forEach(spec().commandLine().getErr()::println);
    spec().commandLine().getErr().flush();
    Results out = Results.standard();
    out.line((dryRun ? "dry run: " : "redrive: ") + summary.line(kind, dryRun));
    out.flush();
  }

  private int status(RedriveReport report) {
    if (report.offsetsLookedAt() < report.offsetsInAll()) {
      throw new KafkaException("stopped; the sent records stay sent, run it again for the rest");
    }
    if (dryRun || report.records(ResendOutcome.SENT) > 0 || report.fitting() == 0) {
      return 0;
    }
    throw new KafkaException(
        report.left() == 0
            ? "all matching records were sent before; --force sends them again, and they"
                + " may count twice"
            : "no record was sent");
  }
}

package io.weir.internal.app;

import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.topology.CommitPace;
import io.weir.internal.topology.Progress;
import io.weir.internal.topology.TaskServices;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running topology with state on the heap: checks the cluster, starts the threads, watches the
 * topics, and ends as a whole. Any thread may call all methods.
 */
public final class StreamsApplication implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);

  /** The process ends, and a supervisor restarts it. */
  private static final int START_TIMEOUT_MS = 20_000;

  private static final Duration CLOSE_TIMEOUT = Duration.ofMinutes(2);

  /** For a process that must end: others wait for its partitions. */
  private static final Duration CLOSE_TIMEOUT_AFTER_FAILURE = Duration.ofSeconds(20);

  private final StreamsPlan plan;
  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private final Progress progress = new Progress(MonotonicClock::millis);
  private final RestoreProgress restores = new RestoreProgress(progress::moved);
  private final ThreadStores stores = new ThreadStores();
  private final OffsetJumps jumps = new OffsetJumps();
  private final HaltedPartitions halts = new HaltedPartitions();
  private final CommitMarks marks;
  private final CommitPace commits;
  private final List<TickWriter> ticks = new ArrayList<>();
  private final StreamsParts.BuiltTopology built;
  private final String description;
  private final KafkaStreams streams;
  private final AbandonedTransactions abandoned;
  private final ThreadDeaths deaths;
  private final TopicWatch watch;
  private final BlockedOutputs blockedOutputs;
  private final IdleWatch idleWatch;
  private final StreamsReadiness readiness;
  private final WaitLimit registryWait;
  private final Duration commitTolerance;
  private final boolean staticMember;

  private StreamsApplication(
      WeirConfig config,
      StreamsPlan plan,
      StreamsParts.TopologyBuilder builder,
      StartChecks checks,
      TopicAdmin topics) {
    this.plan = plan;
    marks =
        new CommitMarks(
            partition ->
                plan.storeOf(partition.topic())
                    .flatMap(store -> stores.end(store, partition.partition())));
    // The group would remove a thread that waits longer within a record.
    registryWait = WaitLimit.of(config.kafka().maxPollIntervalMs() / 2);
    commits =
        new CommitPace(
            MonotonicClock::millis,
            config.kafka().commitIntervalMs(),
            config.kafka().transactionTimeoutMs());
    built = builder.build(new StreamsParts(topics, registryWait, tasks(config, checks)));
    description = built.topology().describe().toString();
    deaths =
        new ThreadDeaths(MonotonicClock::millis, plan.rights(), config.threads(), this::mustEnd);
    abandoned = new AbandonedTransactions(plan, () -> Admin.create(config.kafka().forAdmin()));
    Properties settings =
        StreamsSettings.of(
            config,
            plan.applicationId(),
            built.maxRecordBytes(),
            TopicPlan.changelog(
                plan.changelogs().get(0), config.topicOptions(), topics.replication()));
    StreamsSettings.allowTransactions(settings, plan.transactionTimeoutMs());
    StreamsSettings.leaveCommitsTo(settings, config.kafka().commitIntervalMs());
    streams =
        new KafkaStreams(
            built.topology(),
            settings,
            new StreamsClients(
                deaths::currentThreadIsReplaced,
                stores,
                commits,
                config.maxDecompressedBytes(),
                config.maxDecompressedRecordBytes(),
                built.polled(),
                jumps,
                marks,
                halts,
                abandoned));
    staticMember = config.instanceId().isPresent();
    watch = new TopicWatch(config, plan, halts::look, this::fail);
    blockedOutputs = BlockedOutputs.of(config, plan, MonotonicClock::millis);
    idleWatch = new IdleWatch(config.kafka(), plan, progress, this::warmsUp);
    commitTolerance = config.http().commitTolerance();
    readiness =
        new StreamsReadiness(
            streams::state,
            () -> restores.partitions() > 0,
            () -> blockedOutputs.describe().or(() -> standstill(commitTolerance)),
            registryWait::describe,
            config.http().rebalanceTolerance(),
            MonotonicClock::millis);
  }

  /**
   * Starts a topology. Returns as soon as the threads run; see {@link #isReady()} for when they
   * have their partitions.
   *
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if a check of the cluster fails
   */
  public static StreamsApplication start(
      WeirConfig config, StreamsPlan plan, StreamsParts.TopologyBuilder builder) {
    Map<String, Object> client = config.kafka().forAdmin();
    client.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, START_TIMEOUT_MS);
    client.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, START_TIMEOUT_MS);
    return StartFailures.explain(
        client,
        plan.rights(),
        () -> {
          try (Admin admin = Admin.create(client)) {
            TopicAdmin topics = new TopicAdmin(admin, plan.topics(), config.topicOptions());
            StartChecks checks = new StartChecks(admin, config, plan);
            checks.topics(topics);
            checks.statesAreThere();
            // Here and not by Kafka Streams, which ends where a policy refuses a setting.
            topics.createChangelogs(plan.changelogs());
            if (plan.startsAtEnd()) {
              checks.startAtEnd();
            }
            StreamsApplication application =
                new StreamsApplication(config, plan, builder, checks, topics);
            application.run();
            return application;
          }
        });
  }

  /** The services for the tasks of each input. */
  private Map<String, TaskServices> tasks(WeirConfig config, StartChecks checks) {
    Map<String, TaskServices> tasks = new HashMap<>();
    for (StreamsInput input : plan.inputs()) {
      TickWriter writer =
          new TickWriter(
              input.topic(),
              config.kafka(),
              refusal -> ended.complete(AclAdvice.describe(refusal, plan.rights())));
      ticks.add(writer);
      tasks.put(
          input.topic(),
          new TaskServices(
              MonotonicClock::millis,
              writer,
              checks.input(input, jumps, marks, halts),
              stores,
              progress.input(input.topic()),
              commits));
    }
    return tasks;
  }

  private void run() {
    streams.setUncaughtExceptionHandler(deaths);
    streams.setGlobalStateRestoreListener(restores);
    streams.setStateListener(
        (now, before) -> {
          LOG.info("{} (was {})", now, before);
          if (now == KafkaStreams.State.RUNNING) {
            restores.done();
          } else if (now == KafkaStreams.State.ERROR) {
            ended.complete(Optional.of(deaths.fatal().orElse("all stream threads are dead")));
          } else if (now == KafkaStreams.State.NOT_RUNNING) {
            ended.complete(deaths.fatal());
          }
        });
    streams.start();
    watch.start();
    blockedOutputs.start();
    idleWatch.start();
  }

  /** Whether it restores state of partitions that it does not own. */
  private boolean warmsUp() {
    return streams.metadataForLocalThreads().stream()
        .anyMatch(thread -> !thread.standbyTasks().isEmpty());
  }

  private void mustEnd(String reason) {
    ended.complete(Optional.of(reason));
  }

  /** Ends for a reason other than the death of a thread. */
  public void fail(String reason) {
    if (ended.complete(Optional.of(reason))) {
      LOG.error("{}", reason);
    }
  }

  /** The partition that has stalled beyond the tolerance, as text; empty if none has. */
  private Optional<String> standstill(Duration tolerated) {
    long ageMs = progress.commitAgeMs();
    if (ageMs <= tolerated.toMillis()) {
      return Optional.empty();
    }
    String what = progress.partitions() == 0 ? "owns no partition" : "nothing committed";
    return Optional.of(what + " for " + ageMs / 1000 + " s");
  }

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return ended.copy();
  }

  @Override
  public long successAgeMs() {
    return progress().commitAgeMs();
  }

  @Override
  public boolean isReady() {
    return !ended.isDone() && readiness.isReady();
  }

  /** A standstill without another reason is Kafka's: commits need it alone. */
  @Override
  public Map<Dependency, Long> waits() {
    Map<Dependency, Long> waits = new EnumMap<>(Dependency.class);
    waits.put(Dependency.REGISTRY, registryWait.waitedMs());
    waits.put(Dependency.TRANSACTION, blockedOutputs.blockedMs());
    waits.values().removeIf(ms -> ms == 0);
    if (waits.isEmpty() && progress.partitions() > 0 && standstill(commitTolerance).isPresent()) {
      waits.put(Dependency.KAFKA, progress.commitAgeMs());
    }
    return waits;
  }

  @Override
  public String describe() {
    return readiness.describe();
  }

  /** The topology as Kafka Streams describes it, over several lines. */
  @Override
  public String topologyDescription() {
    return description;
  }

  /** The state of Kafka Streams. */
  public KafkaStreams.State state() {
    return streams.state();
  }

  /** Its application id. */
  public String applicationId() {
    return plan.applicationId();
  }

  /** The topics that it reads. */
  public List<String> inputTopics() {
    return plan.inputTopics();
  }

  /** Halted partitions. */
  public HaltedPartitions halted() {
    return halts;
  }

  /** The progress of state restoration. */
  public RestoreProgress restores() {
    return restores;
  }

  /** Transactions of former members that may be half committed and were not aborted. */
  public long halfEndedTransactions() {
    return abandoned.halfEnded();
  }

  /** The state of its outputs. */
  public BlockedOutputs blockedOutputs() {
    return blockedOutputs;
  }

  /** The progress of each partition. */
  public Progress progress() {
    return progress;
  }

  /** The number of stream threads that died of an error. */
  public long threadDeaths() {
    return deaths.total();
  }

  /** The number of topic settings that differed from the plan at the last check. */
  public int topicWarnings() {
    return watch.warnings();
  }

  /** The running topology, for metrics. */
  public KafkaStreams streams() {
    return streams;
  }

  /**
   * Commits and closes. A dynamic member leaves its group, so that its partitions are reassigned at
   * once; a static member stays until its session times out.
   */
  @Override
  public void close() {
    watch.close();
    blockedOutputs.close();
    idleWatch.close();
    abandoned.close();
    ticks.forEach(TickWriter::close);
    deaths.closing();
    registryWait.end();
    GroupMembershipOperation membership =
        staticMember
            ? GroupMembershipOperation.REMAIN_IN_GROUP
            : GroupMembershipOperation.LEAVE_GROUP;
    Duration timeout =
        ended.getNow(Optional.empty()).isPresent() ? CLOSE_TIMEOUT_AFTER_FAILURE : CLOSE_TIMEOUT;
    if (streams.close(CloseOptions.timeout(timeout).withGroupMembershipOperation(membership))) {
      built.closed().run();
    } else {
      LOG.warn(
          "Kafka Streams did not close within {} s; open transactions will be aborted and reprocessed",
          timeout.toSeconds());
    }
    ended.complete(Optional.empty());
  }

  /**
   * The readiness of an application on Kafka Streams. It stays ready during a short rebalance
   * without a restore. It is not ready while commits fail, or its output is blocked. Safe for many
   * threads.
   */
  static final class StreamsReadiness {
    private static final long NEVER = Long.MIN_VALUE;

    private final Supplier<State> state;
    private final BooleanSupplier restoring;
    private final Supplier<Optional<String>> blocked;
    private final Supplier<Optional<String>> waits;
    private final long toleranceMs;
    private final LongSupplier elapsedMs;
    private long lastRunningMs = NEVER;

    /**
     * @param restoring whether active tasks restore state
     * @param blocked the cause of a stall, if any
     * @param waits what records wait for, if anything; a short wait is no stall
     * @param tolerance longest rebalance since it was last running
     * @param elapsedMs a monotonic clock, in milliseconds from anywhere
     */
    StreamsReadiness(
        Supplier<State> state,
        BooleanSupplier restoring,
        Supplier<Optional<String>> blocked,
        Supplier<Optional<String>> waits,
        Duration tolerance,
        LongSupplier elapsedMs) {
      this.state = state;
      this.restoring = restoring;
      this.blocked = blocked;
      this.waits = waits;
      this.toleranceMs = tolerance.toMillis();
      this.elapsedMs = elapsedMs;
    }

    /** Whether it processes records, or did so within the tolerance, and its output is readable. */
    synchronized boolean isReady() {
      if (blocked.get().isPresent()) {
        return false;
      }
      long nowMs = elapsedMs.getAsLong();
      State now = state.get();
      if (now == State.RUNNING) {
        lastRunningMs = nowMs;
        return true;
      }
      return now == State.REBALANCING
          && lastRunningMs != NEVER
          && nowMs - lastRunningMs <= toleranceMs
          && !restoring.getAsBoolean();
    }

    /** The state and the cause of a stall. */
    String describe() {
      return state.get()
          + (restoring.getAsBoolean() ? ", restoring" : "")
          + blocked.get().map(what -> ", " + what).orElse("")
          + waits.get().map(what -> ", " + what).orElse("");
    }
  }

  /** The progress of state restoration, without standbys. Safe for many threads. */
  public static final class RestoreProgress implements StateRestoreListener {
    private final Map<TopicPartition, Progress> underWay = new ConcurrentHashMap<>();
    private final Runnable onMove;

    /**
     * @param onMove called after each progress
     */
    RestoreProgress(Runnable onMove) {
      this.onMove = onMove;
    }

    private record Progress(long next, long end) {
      long remaining() {
        return Math.max(0, end - next);
      }
    }

    /** Partitions whose state is being restored. */
    public int partitions() {
      return underWay.size();
    }

    /** Changelog offsets left to restore. */
    public long remaining() {
      return underWay.values().stream().mapToLong(Progress::remaining).sum();
    }

    /** Forgets all restorations: a dead thread has not reported their end. */
    void done() {
      underWay.clear();
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
      underWay.put(changelog, new Progress(start, end));
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
      onMove.run();
      underWay.computeIfPresent(
          changelog, (partition, progress) -> new Progress(last + 1, progress.end()));
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long records) {
      underWay.remove(changelog);
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
      underWay.remove(changelog);
    }
  }
}

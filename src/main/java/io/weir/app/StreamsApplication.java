package io.weir.app;

import io.weir.registry.WaitLimit;
import io.weir.store.ThreadStores;
import io.weir.time.MonotonicClock;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicPlan;
import io.weir.topology.EarlyCommits;
import io.weir.topology.Progress;
import io.weir.topology.TaskServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topology with states on the heap, running: checks the cluster, starts the threads, watches over
 * the topics, and ends as a whole. All methods may be called by any thread.
 */
public final class StreamsApplication implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);

  /** A supervisor starts it again: better than to wait without a word. */
  private static final int START_TIMEOUT_MS = 20_000;

  private static final Duration CLOSE_TIMEOUT = Duration.ofMinutes(2);

  /** Of a process that has to end: others can do nothing before it has. */
  private static final Duration CLOSE_TIMEOUT_AFTER_FAILURE = Duration.ofSeconds(20);

  private final StreamsPlan plan;
  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private final Progress progress = new Progress(MonotonicClock::millis);
  private final RestoreProgress restores = new RestoreProgress(progress::moved);
  private final ThreadStores stores = new ThreadStores();
  private final OffsetJumps jumps = new OffsetJumps();
  private final HaltedPartitions halts = new HaltedPartitions();
  private final CommitMarks marks;
  private final EarlyCommits commits;
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
                    .map(store -> stores.nextOffset(store, partition.partition()))
                    .orElse(OptionalLong.empty()));
    // A thread that waits for longer in the midst of a record would be taken for dead.
    registryWait = WaitLimit.of(config.kafka().maxPollIntervalMs() / 2);
    commits = new EarlyCommits(MonotonicClock::millis, config.kafka().commitIntervalMs());
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
            TopicPlan.changelog(plan.changelogs().get(0), topics.replication()));
    StreamsSettings.allowTransactions(settings, plan.transactionTimeoutMs());
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
    Duration commitTolerance = config.http().commitTolerance();
    readiness =
        new StreamsReadiness(
            streams::state,
            () -> restores.partitions() > 0,
            () -> blockedOutputs.describe().or(() -> standstill(commitTolerance)),
            config.http().rebalanceTolerance(),
            MonotonicClock::millis);
  }

  /**
   * Starts a topology. Returns as soon as the threads run; see {@link #isReady()} for when they
   * have their partitions.
   *
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if the cluster is not as it must be
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
            StreamsApplication application =
                new StreamsApplication(config, plan, builder, checks, topics);
            application.run();
            return application;
          }
        });
  }

  /** What the tasks of each input need. */
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

  /** Whether it reads the state of partitions that it does not own. */
  private boolean warmsUp() {
    return streams.metadataForLocalThreads().stream()
        .anyMatch(thread -> !thread.standbyTasks().isEmpty());
  }

  private void mustEnd(String reason) {
    ended.complete(Optional.of(reason));
  }

  /** Ends for a reason that was found outside of the threads, or by what runs in them. */
  public void fail(String reason) {
    if (ended.complete(Optional.of(reason))) {
      LOG.error("{}", reason);
    }
  }

  /** What has stalled for longer than is tolerated, in words; empty where nothing has. */
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
  public boolean isReady() {
    return !ended.isDone() && readiness.isReady();
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

  /** The topics that it reads. */
  public List<String> inputTopics() {
    return plan.inputTopics();
  }

  /** Partitions that stand still until a person decides. */
  public HaltedPartitions halted() {
    return halts;
  }

  /** How far the state that is being restored has come. */
  public RestoreProgress restores() {
    return restores;
  }

  /** Transactions of members that are gone which may be half committed and were left alone. */
  public long halfEndedTransactions() {
    return abandoned.halfEnded();
  }

  /** Whether what it writes can be read. */
  public BlockedOutputs blockedOutputs() {
    return blockedOutputs;
  }

  /** How far it has come with each of its partitions. */
  public Progress progress() {
    return progress;
  }

  /** How many stream threads have died of an error. */
  public long threadDeaths() {
    return deaths.total();
  }

  /** How many settings of topics were not as planned when the application last looked. */
  public int topicWarnings() {
    return watch.warnings();
  }

  /** The running topology, for those who measure it. */
  public KafkaStreams streams() {
    return streams;
  }

  /**
   * Commits what was begun and leaves. A member without a name leaves its group, so that others
   * take over at once; one with a name is expected back.
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
          "not closed within {} s: what was begun is aborted and done again", timeout.toSeconds());
    }
    ended.complete(Optional.empty());
  }
}

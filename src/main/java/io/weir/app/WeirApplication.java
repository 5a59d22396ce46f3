package io.weir.app;

import io.weir.registry.ValueFormat;
import io.weir.registry.WaitLimit;
import io.weir.store.ThreadStores;
import io.weir.time.MonotonicClock;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicPlan;
import io.weir.topic.TopicSettings;
import io.weir.topology.Measures;
import io.weir.topology.Progress;
import io.weir.topology.TaskServices;
import io.weir.topology.TopologyServices;
import io.weir.topology.TopologySettings;
import io.weir.topology.WeirTopology;
import io.weir.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topology, running: checks the cluster, starts the threads, watches over the partition count,
 * and ends as a whole. All methods may be called by any thread.
 */
public final class WeirApplication implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(WeirApplication.class);

  /** A supervisor starts it again: better than to wait without a word. */
  private static final int START_PATIENCE_MS = 20_000;

  private static final Duration CLOSE_PATIENCE = Duration.ofMinutes(2);

  /** Of a process that has to end: others can do nothing before it has. */
  private static final Duration CLOSE_PATIENCE_AFTER_FAILURE = Duration.ofSeconds(20);

  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private final Progress progress = new Progress(MonotonicClock::millis);
  private final KafkaStreams streams;
  private final String drawing;
  private final ThreadDeaths deaths;
  private final TopicWatch watch;
  private final BlockedOutputs blockedOutputs;
  private final IdleWatch idleWatch;
  private final RestoreProgress restores = new RestoreProgress(progress::moved);
  private final StreamsReadiness readiness;
  private final WaitLimit registryWait;
  private final boolean staticMember;
  private final TickWriter ticks;
  private final BrokerControlLog control;

  private WeirApplication(
      WeirConfig config,
      WindowSpec windows,
      Measures measures,
      StartChecks checks,
      TopicAdmin topics) {
    // A thread that waits for longer in the midst of a record would be taken for dead.
    registryWait = WaitLimit.of(config.kafka().maxPollIntervalMs() / 2);
    TopologySettings settings = topologySettings(config, windows, topics, registryWait);
    TopicSchemas.requireWritable(settings);
    deaths =
        new ThreadDeaths(MonotonicClock::millis, rights(config), config.threads(), this::mustEnd);
    ticks =
        new TickWriter(
            config.topics().readings(),
            config.kafka(),
            refusal -> ended.complete(AclAdvice.describe(refusal, rights(config))));
    control = checks.control(topics);
    ThreadStores stores = new ThreadStores();
    Topology topology =
        WeirTopology.draw(
            settings,
            new TopologyServices(
                measures,
                new TaskServices(MonotonicClock::millis, ticks, checks.input(), stores, progress),
                control));
    drawing = topology.describe().toString();
    TopicSettings changelog =
        TopicPlan.changelog(StartChecks.changelog(config), topics.replication());
    streams =
        new KafkaStreams(
            topology,
            StreamsSettings.of(config, settings, changelog),
            clients(config, deaths, stores, control));
    staticMember = config.instanceId().isPresent();
    watch = new TopicWatch(config, this::fail);
    blockedOutputs = BlockedOutputs.of(config, MonotonicClock::millis);
    idleWatch = new IdleWatch(config, progress, this::warmsUp);
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
   * Starts with windows as they are configured. Returns as soon as the threads run; see {@link
   * #isReady()} for when they have their partitions.
   *
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if the cluster is not as it must be
   */
  public static WeirApplication start(WeirConfig config, Measures measures) {
    return start(config, WindowSpecs.of(config.windows()), measures);
  }

  /** As {@link #start(WeirConfig, Measures)}, with windows of one's own. */
  public static WeirApplication start(WeirConfig config, WindowSpec windows, Measures measures) {
    Map<String, Object> client = config.kafka().forAdmin();
    client.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, START_PATIENCE_MS);
    client.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, START_PATIENCE_MS);
    return StartFailures.told(
        client,
        rights(config),
        () -> {
          try (Admin admin = Admin.create(client)) {
            StartChecks checks = new StartChecks(admin, config);
            TopicAdmin topics =
                new TopicAdmin(admin, config.topics().of(User.RUN), config.topicOptions());
            checks.topics(topics);
            checks.stateIsThere();
            WeirApplication application =
                new WeirApplication(config, windows, measures, checks, topics);
            application.run();
            return application;
          }
        });
  }

  private static StreamsClients clients(
      WeirConfig config, ThreadDeaths deaths, ThreadStores stores, BrokerControlLog control) {
    return new StreamsClients(
        deaths::currentThreadIsReplaced,
        stores,
        config.maxDecompressedBytes(),
        config.maxDecompressedRecordBytes(),
        control::polled);
  }

  private static List<Acl> rights(WeirConfig config) {
    return Acl.ofRun(config.applicationId(), config.topics());
  }

  private static TopologySettings topologySettings(
      WeirConfig config, WindowSpec windows, TopicAdmin topics, WaitLimit registryWait) {
    return new TopologySettings(
        config.topics().of(User.RUN),
        windows,
        config.limits(),
        config.state().gateways(config.windows().maxFutureSkew().toMillis()),
        config.state().windows(),
        config.windows().maxFutureSkew().toMillis(),
        topics.maxMessageBytes(config.topics().late()),
        topics.maxMessageBytes(config.topics().deadLetters()),
        ValueFormat.of(config.values()),
        registryWait);
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

  /** Ends for a reason that was found outside of the threads. */
  private void fail(String reason) {
    if (ended.complete(Optional.of(reason))) {
      LOG.error("{}", reason);
    }
  }

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return ended.copy();
  }

  public KafkaStreams.State state() {
    return streams.state();
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
  public String drawing() {
    return drawing;
  }

  /** How far the state that is being restored has come. */
  public RestoreProgress restores() {
    return restores;
  }

  /** Whether what it writes can be read. */
  public BlockedOutputs blockedOutputs() {
    return blockedOutputs;
  }

  /** How far it has come with each of its partitions. */
  public Progress progress() {
    return progress;
  }

  /** What has stood still for longer than is tolerated, in words; empty where nothing has. */
  private Optional<String> standstill(Duration tolerated) {
    long ageMs = progress.commitAgeMs();
    if (ageMs <= tolerated.toMillis()) {
      return Optional.empty();
    }
    String what = progress.partitions() == 0 ? "owns no partition" : "nothing committed";
    return Optional.of(what + " for " + ageMs / 1000 + " s");
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
    ticks.close();
    deaths.closing();
    registryWait.end();
    GroupMembershipOperation membership =
        staticMember
            ? GroupMembershipOperation.REMAIN_IN_GROUP
            : GroupMembershipOperation.LEAVE_GROUP;
    Duration waitLimit =
        ended.getNow(Optional.empty()).isPresent() ? CLOSE_PATIENCE_AFTER_FAILURE : CLOSE_PATIENCE;
    boolean clean =
        streams.close(CloseOptions.timeout(waitLimit).withGroupMembershipOperation(membership));
    if (!clean) {
      LOG.warn(
          "not closed within {} s: what was begun is aborted and done again",
          waitLimit.toSeconds());
    }
    if (clean) {
      control.close();
    }
    ended.complete(Optional.empty());
  }
}

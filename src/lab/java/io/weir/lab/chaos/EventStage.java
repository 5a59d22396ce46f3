package io.weir.lab.chaos;

import io.weir.lab.oracle.RelayWords;
import io.weir.lab.oracle.ScriptedHandler;
import io.weir.lab.oracle.Waits;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The processes of {@code weir events} and of handlers, what sends events to them, their faults,
 * and the verdict. Faults are had by one thread, one after another.
 */
final class EventStage implements AutoCloseable {
  private static final int SOURCES = 2;
  private static final int HANDLER_PROCESSES = 1;
  private static final Duration SOURCES_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration TRANSACTIONS_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofSeconds(3);

  private final ChaosCluster cluster;
  private final ChaosSettings settings;
  private final List<Application> applications = new CopyOnWriteArrayList<>();
  private final List<EventSource> sources = new ArrayList<>();
  private final ChaosKeys keys;
  private final FoldingSource folding;
  private final EventSenders senders;
  private final AtomicInteger endedByThemselves = new AtomicInteger();
  private final Supervisor supervisor;

  EventStage(ChaosCluster cluster, ChaosSettings settings, Path dir) {
    this.cluster = cluster;
    this.settings = settings;
    new TopicAdmin(cluster.admin(), TopicNames.ALL.of(User.EVENTS)).createMissing();
    for (int i = 0; i < settings.events(); i++) {
      applications.add(new EventsApplication(i, settings, cluster.bootstrapServers(), dir));
    }
    new TopicAdmin(cluster.admin(), HandlersApplication.TOPICS).createMissing();
    new TopicAdmin(cluster.admin(), RelayApplication.TOPICS).createMissing();
    createOutputs();
    for (int i = 0; i < HANDLER_PROCESSES; i++) {
      applications.add(new HandlersApplication(i, settings, cluster.bootstrapServers(), dir));
      applications.add(new RelayApplication(i, settings, cluster.bootstrapServers(), dir));
    }
    keys = new ChaosKeys(settings, dir);
    for (int i = 0; i < SOURCES; i++) {
      Random random = new Random(settings.seed() * 31 + i);
      sources.add(source("events-gateway-" + i, random, new EventLoad(random)));
    }
    Random random = new Random(settings.seed() * 31 + SOURCES);
    sources.add(source("calls-gateway", random, new HandlerLoad(random)));
    random = new Random(settings.seed() * 31 + SOURCES + 1);
    sources.add(source("posts-gateway", random, new RelayLoad(random)));
    random = new Random(settings.seed() * 31 + SOURCES + 2);
    folding = new FoldingSource(random, keys, cluster.bootstrapServers());
    senders = new EventSenders(cluster.bootstrapServers(), settings.bug(), keys, dir);
    supervisor = new Supervisor(applications, endedByThemselves::incrementAndGet);
  }

  private EventSource source(String gatewayId, Random random, EventTraffic traffic) {
    return new EventSource(
        gatewayId, random, traffic, keys, cluster.bootstrapServers(), settings.pauses());
  }

  private void createOutputs() {
    List<NewTopic> topics =
        Stream.of(ScriptedHandler.OUT, RelayWords.OUT)
            .map(name -> new NewTopic(name, Optional.of(SensorPartition.COUNT), Optional.empty()))
            .toList();
    KafkaFutures.await(cluster.admin().createTopics(topics).all());
  }

  /**
   * Starts everything; returns when the applications have their partitions.
   *
   * @throws IllegalStateException if they do not get them
   */
  void start(Duration timeout) {
    applications.forEach(Application::start);
    for (Application application : applications) {
      if (!application.awaitRunning(timeout)) {
        throw new IllegalStateException(application.instanceId() + " does not run; see its log");
      }
    }
    sources.forEach(EventSource::start);
    folding.start();
  }

  /** One of the faults of events. */
  void have(PlannedFault fault) {
    if (fault.kind() == FaultKind.SEND_EVENTS) {
      senders.round();
      Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
      return;
    }
    Application application = applications.get(fault.target() % applications.size());
    switch (fault.kind()) {
      case EVENTS_KILL -> application.kill();
      case EVENTS_WIPE -> {
        application.kill();
        application.wipeState();
      }
      case EVENTS_ZOMBIE -> application.freeze();
      case EVENTS_RESTART -> application.stop();
      default -> throw new IllegalArgumentException(fault.kind().label());
    }
    Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
    if (fault.kind() == FaultKind.EVENTS_ZOMBIE) {
      application.thaw();
    } else {
      application.start();
      // Now and then the next fault finds it reading its state back.
      application.awaitRunning(Duration.ofMillis(4 * fault.pauseMs()));
    }
  }

  /** Applications that ended by themselves so far, and were started again. */
  int endedByThemselves() {
    return endedByThemselves.get();
  }

  /** Ends what sends events; returns when all of it is acknowledged or given up. */
  void finishSources() {
    senders.finish();
    sources.forEach(source -> source.finish(SOURCES_TIMEOUT));
    folding.finish(SOURCES_TIMEOUT);
  }

  /** Waits until nothing is under way any more, stops the applications, and judges what is left. */
  EventVerdict judge(Consumer<String> progress) {
    progress.accept("waiting until all events are dealt with");
    List<String> unsettled = new ArrayList<>();
    long unacknowledged = sources.stream().mapToLong(EventSource::unacknowledged).sum();
    if (unacknowledged > 0) {
      // They may be on the topics or not: the oracle goes by what is there.
      progress.accept("       " + unacknowledged + " batches of events were not acknowledged");
    }
    EventOracle oracle = new EventOracle(cluster, EventsApplication.rules(settings));
    awaitCalm(oracle, progress).ifPresent(unsettled::add);
    supervisor.close();
    applications.forEach(Application::stop);
    progress.accept("asking the oracle about events");
    EventVerdict.Builder verdict = afterOpenTransactions(oracle, unsettled);
    senders.judge(cluster.direct(), verdict);
    folding.judge(cluster.direct(), verdict);
    return verdict.build();
  }

  /**
   * One of a process that did not end in time hides what is behind it until the brokers abort it.
   */
  private static EventVerdict.Builder afterOpenTransactions(
      EventOracle oracle, List<String> unsettled) {
    long startNanos = System.nanoTime();
    EventVerdict.Builder verdict = oracle.read(unsettled);
    while (!verdict.findings().areNone()
        && System.nanoTime() - startNanos < TRANSACTIONS_TIMEOUT.toNanos()) {
      Waiting.until(LOOK, () -> false);
      verdict = oracle.read(unsettled);
    }
    return verdict;
  }

  /** Until nothing waits any more, or nothing moves; what waits then. A look reads all topics. */
  private Optional<String> awaitCalm(EventOracle oracle, Consumer<String> progress) {
    ForgottenTransactions forgotten = new ForgottenTransactions(cluster.admin());
    StallDetector standstill = new StallDetector(TIMEOUT, System::nanoTime);
    while (true) {
      long startNanos = System.nanoTime();
      Waits waits = oracle.judge(List.of()).waiting();
      if (waits.total() == 0) {
        return Optional.empty();
      }
      progress.accept("       not dealt with: " + waits);
      forgotten.abort(progress);
      if (standstill.lasts(waits.toString()) || Thread.currentThread().isInterrupted()) {
        return Optional.of(waits + ", and nothing moved for " + TIMEOUT.toMinutes() + " minutes");
      }
      // The applications need the processors more than whoever looks at them.
      Duration look = Duration.ofNanos(System.nanoTime() - startNanos);
      Waiting.until(LOOK.plus(look).plus(look), () -> false);
    }
  }

  @Override
  public void close() {
    supervisor.close();
    senders.close();
    sources.forEach(EventSource::close);
    folding.close();
    applications.forEach(Application::close);
  }
}

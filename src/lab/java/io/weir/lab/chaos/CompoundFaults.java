package io.weir.lab.chaos;

import io.weir.internal.app.GatewayResets;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Faults of several steps. Each is repaired when its method returns. Safe for many threads. */
final class CompoundFaults {
  private static final Duration RETURN_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration ALIVE_TIMEOUT = Duration.ofSeconds(60);
  private static final int MOST_WAITS = 5;
  private static final Duration CALM = Duration.ofSeconds(8);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(10);
  private static final double MOST_SLOWER = 5;
  private static final double FLOOR_MS = 50;

  private final ChaosStage stage;
  private final FaultStats tally;

  CompoundFaults(ChaosStage stage, FaultStats tally) {
    this.stage = stage;
    this.tally = tally;
  }

  /**
   * All gateways fall silent and all applications are restarted. One is frozen as soon as it has
   * its partitions, before it has read anything; the others take over, traffic comes to them, and
   * the frozen one is thawed.
   */
  void silence(PlannedFault fault) {
    List<Application> others = new ArrayList<>(stage.applications());
    Application frozen = others.remove(fault.target() % others.size());
    stage.gateways().forEach(gateway -> gateway.silence(true));
    stopTogether(stage.applications());
    frozen.start();
    frozen.awaitRunning(RETURN_TIMEOUT);
    hold(fault.amount());
    frozen.freeze();
    others.forEach(Application::start);
    others.forEach(application -> application.awaitRunning(RETURN_TIMEOUT));
    stage.gateways().forEach(gateway -> gateway.silence(false));
    hold(fault.holdMs());
    frozen.thaw();
    recover(fault.kind());
  }

  private static void stopTogether(List<Application> applications) {
    List<Thread> stopping =
        applications.stream().map(application -> new Thread(application::stop)).toList();
    stopping.forEach(Thread::start);
    for (Thread thread : stopping) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** An application leaves and comes back, each while a broker receives nothing: commits fail. */
  void recycle(PlannedFault fault) {
    ChaosCluster cluster = stage.cluster();
    Application application =
        stage.applications().get(fault.target() % stage.applications().size());
    FlakyLink first = cluster.node(fault.target() % cluster.size()).link();
    FlakyLink second = cluster.node((fault.target() + 1) % cluster.size()).link();
    first.swallow();
    application.stop();
    hold(fault.holdMs());
    first.heal();
    application.start();
    second.swallow();
    application.awaitRunning(RETURN_TIMEOUT);
    hold(fault.holdMs());
    second.heal();
    recover(fault.kind());
  }

  /** An application is started again with a heap that may not be enough, then with its own. */
  void outOfMemory(PlannedFault fault) {
    Application application =
        stage.applications().get(fault.target() % stage.applications().size());
    application.kill();
    application.heap(fault.amount() + "m");
    application.start();
    hold(fault.holdMs());
    application.kill();
    application.heap(stage.settings().applicationHeap());
    application.start();
    application.awaitRunning(RETURN_TIMEOUT);
  }

  /** A gateway has no memory for a while; afterwards it goes on, or has ended and is restarted. */
  void gatewayOutOfMemory(PlannedFault fault) {
    Gateway gateway = stage.gateways().get(fault.target() % stage.gateways().size());
    gateway.say("ballast " + fault.holdMs());
    hold(fault.holdMs() + CALM.toMillis());
    // The publisher's own: what is sent beside it may go on.
    gateway.forgetLatencies();
    List<Gateway> others = new ArrayList<>(stage.gateways());
    others.remove(gateway);
    for (int waits = 0; waits < MOST_WAITS; waits++) {
      others.forEach(Gateway::forgetLatencies);
      boolean alive =
          Waiting.until(
              ALIVE_TIMEOUT,
              () -> gateway.startIfDied(GatewayLife.RESUMED) || !gateway.latenciesMs().isEmpty());
      if (alive || gateway.isDone()) {
        return;
      }
      // If the brokers acknowledge nothing, it is not the gateway's fault.
      if (others.isEmpty() || others.stream().anyMatch(it -> !it.latenciesMs().isEmpty())) {
        tally.broken(
            gateway.id()
                + " lives, and nothing of it was acknowledged for "
                + ALIVE_TIMEOUT.toSeconds()
                + " s after it was out of memory");
        return;
      }
    }
  }

  /** A broker's clock is wrong and leaders move to it and away from it. */
  void wrongClock(PlannedFault fault) {
    ChaosCluster cluster = stage.cluster();
    BrokerNode broker = cluster.node(fault.target() % cluster.size());
    broker.clock(fault.amount());
    Leaders.move(cluster.admin());
    hold(fault.holdMs());
    Leaders.move(cluster.admin());
    // Half of the small ones stay, as they are of clocks that nobody looks after; but for one so
    // far
    // behind that punctual readings are refused, or soon there would be nothing else.
    boolean refuses = fault.amount() < -ChaosSettings.MAX_FUTURE_SKEW.toMillis();
    boolean forEver = fault.kind() == FaultKind.BROKER_CLOCK && fault.target() % 2 == 0 && !refuses;
    if (!forEver) {
      hold(fault.holdMs());
      broker.clock(0);
    }
  }

  /** Nobody reaches a broker that goes on leading; partitions with other leaders are unharmed. */
  void leaderAway(PlannedFault fault) {
    FlakyLink link = stage.cluster().node(fault.target() % stage.cluster().size()).link();
    stage.gateways().forEach(Gateway::forgetLatencies);
    hold(CALM.toMillis());
    double beforeMs = medianMs();
    link.cut();
    hold(CALM.toMillis());
    stage.gateways().forEach(Gateway::forgetLatencies);
    hold(fault.holdMs());
    double duringMs = medianMs();
    link.heal();
    double ratio = Math.max(FLOOR_MS, duringMs) / Math.max(FLOOR_MS, beforeMs);
    tally.neighbours(
        String.format(
            Locale.ROOT,
            "leader-away: acknowledgements of the other partitions took %.0f ms before, %.0f ms"
                + " during: %.1f times",
            beforeMs,
            duringMs,
            ratio));
    boolean alone = stage.settings().faults().keySet().equals(Set.of(FaultKind.LEADER_AWAY));
    if (alone && !(ratio <= MOST_SLOWER)) {
      tally.broken("leader-away: at most " + MOST_SLOWER + " times is promised");
    }
  }

  /** A gateway's credential is stolen: whatever is sent with it delays nobody for long. */
  void hostile(PlannedFault fault) {
    OutputGaps gaps = new OutputGaps(System.nanoTime());
    stage.output().add(gaps);
    Gateway gateway = stage.gateways().get(fault.target() % stage.gateways().size());
    gateway.say("hostile");
    reset(gateway.id());
    hold(CALM.toMillis() + LONGEST_DELAY.toMillis());
    stage.output().remove(gaps);
    Duration longest = gaps.ofTopic(System.nanoTime());
    tally.neighbours(
        "hostile: longest time without a window of any neighbour "
            + Durations.seconds(longest)
            + " s");
    boolean alone = stage.settings().faults().keySet().equals(Set.of(FaultKind.HOSTILE));
    if (alone && longest.compareTo(LONGEST_DELAY) > 0) {
      tally.broken("hostile: at most " + LONGEST_DELAY.toSeconds() + " s are promised");
    }
  }

  /** As an operator does who has taken the credential away, but that the gateway goes on. */
  private void reset(String gatewayId) {
    byte[] nonce = new byte[ResetMark.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    Map<String, Object> client =
        Map.of("bootstrap.servers", stage.cluster().direct(), "acks", "all");
    try (KafkaProducer<byte[], byte[]> operator =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      new GatewayResets(operator, TopicNames.DEFAULT).reset(gatewayId, nonce);
    } catch (KafkaException e) {
      tally.broken("hostile: " + e.getMessage());
    }
  }

  /** NaN where nothing was acknowledged. */
  private double medianMs() {
    List<Long> sorted =
        stage.gateways().stream()
            .flatMap(gateway -> gateway.latenciesMs().stream())
            .sorted()
            .collect(Collectors.toList());
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }

  private void recover(FaultKind kind) {
    Recovery recovery =
        new Recovery(IntStream.range(0, SensorPartition.COUNT).boxed().collect(Collectors.toSet()));
    stage.output().add(recovery);
    tally.recovering(kind, recovery);
    Waiting.until(ALIVE_TIMEOUT, recovery::isOver);
  }

  private static void hold(long millis) {
    Waiting.until(Duration.ofMillis(millis), () -> false);
  }
}

package io.weir.lab.chaos;

import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Goes through the faults of a lane, one after another, each repaired before the next. In a thread
 * of its own.
 */
final class FaultLane implements Runnable {
  private static final Duration RETURN_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration RECOVERY_TIMEOUT = Duration.ofSeconds(60);
  private static final Set<Integer> ALL =
      IntStream.range(0, SensorPartition.COUNT).boxed().collect(Collectors.toSet());

  private final List<PlannedFault> faults;
  private final ChaosStage stage;
  private final FaultStats tally;
  private final CompoundFaults compound;
  private final BooleanSupplier ended;
  private final Consumer<String> progress;

  /**
   * @param progress receives a line for each recovery
   * @param ended whether no new fault is to be begun
   */
  FaultLane(
      List<PlannedFault> faults,
      ChaosStage stage,
      FaultStats tally,
      Consumer<String> progress,
      BooleanSupplier ended) {
    this.faults = faults;
    this.stage = stage;
    this.tally = tally;
    this.compound = new CompoundFaults(stage, tally);
    this.progress = progress;
    this.ended = ended;
  }

  @Override
  public void run() {
    for (PlannedFault fault : faults) {
      if (Waiting.until(Duration.ofMillis(fault.pauseMs()), ended)) {
        return;
      }
      have(fault);
      tally.done(fault.kind());
    }
  }

  private void have(PlannedFault fault) {
    switch (fault.kind()) {
      case APP_KILL, STATE_WIPE -> killApplication(fault);
      case FAILOVER -> failOver(fault);
      case ZOMBIE -> freezeApplication(fault);
      case ROLLING_RESTART -> restartAll();
      case EDIT_RULES -> stage.lives().edit(RETURN_TIMEOUT);
      case RESET -> require(fault, stage.lives().reset(RETURN_TIMEOUT));
      case DELETE_RECORDS -> require(fault, stage.lives().delete(fault, RETURN_TIMEOUT));
      case LOSE_STATE -> require(fault, stage.lives().lose(fault, RETURN_TIMEOUT));
      case SILENCE -> compound.silence(fault);
      case RECYCLE -> compound.recycle(fault);
      case APP_OOM -> compound.outOfMemory(fault);
      case GATEWAY_OOM -> compound.gatewayOutOfMemory(fault);
      case LEADER_AWAY -> compound.leaderAway(fault);
      case BROKER_CLOCK, BROKER_CLOCK_DAYS -> compound.wrongClock(fault);
      case REDRIVE ->
          new Redrives(stage).run((int) fault.amount(), Duration.ofMillis(fault.holdMs()));
      case BROKER_KILL -> awayWith(fault, BrokerNode::kill);
      case DISK_FULL -> awayWith(fault, BrokerNode::fillDisk);
      case CUT -> disturb(fault, FlakyLink::cut);
      case HALF_OPEN -> disturb(fault, FlakyLink::swallow);
      case DELAY -> disturb(fault, link -> link.delay(fault.amount()));
      case GATEWAY_RESUME -> killGateway(fault, GatewayLife.RESUMED);
      case GATEWAY_NEW_BOOT -> killGateway(fault, GatewayLife.NEW_BOOT);
      case GATEWAY_EMPTY -> killGateway(fault, GatewayLife.EMPTY_HANDED);
      case SKEW -> {
        gateway(fault).say("skew " + fault.amount());
        hold(fault);
        gateway(fault).say("skew 0");
      }
      case IDLE -> {
        gateway(fault).say("pause " + fault.holdMs());
        hold(fault);
      }
      case FORGET -> {
        gateway(fault).say("mute " + fault.holdMs());
        hold(fault);
      }
      case POISON -> gateway(fault).say("poison");
      case HOSTILE -> compound.hostile(fault);
      case EVENTS_KILL, EVENTS_WIPE, EVENTS_ZOMBIE, EVENTS_RESTART, SEND_EVENTS ->
          stage.events().orElseThrow().have(fault);
      case SINK_KILL,
          SINK_ZOMBIE,
          COLLECTOR_KILL,
          COLLECTOR_ZOMBIE,
          COLLECTOR_FAILOVER,
          POSTGRES_KILL,
          BACKEND_KILL,
          DUMP,
          LONG_READER,
          SLOW_DISK,
          ROWS_REFUSED ->
          stage.postgres().orElseThrow().have(fault);
      case IMPORT_KILL, IMPORT_ZOMBIE, IMPORT_RESTART, IMPORT_GROW, IMPORT_REMAKE ->
          stage.imports().orElseThrow().have(fault);
      case REFUSAL -> throw new IllegalStateException("comes after the verdict");
    }
  }

  /** The next one may be killed while the last partitions of this one still come back. */
  private void killApplication(PlannedFault fault) {
    Application application = application(fault);
    Recovery recovery = recovery(fault, application);
    application.kill();
    if (fault.kind() == FaultKind.STATE_WIPE) {
      application.wipeState();
    }
    hold(fault);
    start(application, fault.kind());
    await(recovery::hasBegun);
    report(fault, recovery);
  }

  /** It stays dead until all of its partitions are with others; the next is had in calm again. */
  private void failOver(PlannedFault fault) {
    Application application = owner(fault);
    Recovery recovery = recovery(fault, application);
    application.kill();
    await(recovery::isOver);
    report(fault, recovery);
    start(application, fault.kind());
    await(() -> members().areSettled());
    Recovery calm = new Recovery(ALL);
    stage.output().add(calm);
    await(calm::isOver);
  }

  private void start(Application application, FaultKind why) {
    application.start();
    if (application.awaitRunning(RETURN_TIMEOUT)) {
      tally.starts(why).add(application.startTook());
    }
  }

  private void freezeApplication(PlannedFault fault) {
    Application application = application(fault);
    Recovery recovery = recovery(fault, application);
    application.freeze();
    hold(fault);
    application.thaw();
    await(recovery::isOver);
    report(fault, recovery);
  }

  private void restartAll() {
    OutputGaps gaps = new OutputGaps(System.nanoTime());
    stage.output().add(gaps);
    for (Application application : stage.applications()) {
      application.stop();
      start(application, FaultKind.ROLLING_RESTART);
    }
    stage.output().remove(gaps);
    tally.topicGaps().add(gaps.ofTopic(System.nanoTime()));
    tally.partitionGaps().add(gaps.ofPartition(System.nanoTime()));
  }

  private void awayWith(PlannedFault fault, Consumer<BrokerNode> how) {
    BrokerNode broker = stage.cluster().node(fault.target() % stage.cluster().size());
    Recovery recovery = recovery(fault, ALL);
    how.accept(broker);
    hold(fault);
    broker.start();
    Waiting.until(RETURN_TIMEOUT, stage.cluster()::isWhole);
    await(recovery::isOver);
    report(fault, recovery);
  }

  private void disturb(PlannedFault fault, Consumer<FlakyLink> how) {
    FlakyLink link = stage.cluster().node(fault.target() % stage.cluster().size()).link();
    how.accept(link);
    hold(fault);
    link.heal();
  }

  private void killGateway(PlannedFault fault, GatewayLife next) {
    Gateway gateway = gateway(fault);
    gateway.kill();
    hold(fault);
    gateway.start(next);
    Waiting.until(RETURN_TIMEOUT, () -> gateway.isAtWork() || ended.getAsBoolean());
  }

  private Application application(PlannedFault fault) {
    return stage.applications().get(fault.target() % stage.applications().size());
  }

  /** The planned one, or another if that one only stands by. */
  private Application owner(PlannedFault fault) {
    return IntStream.range(0, stage.applications().size())
        .mapToObj(i -> stage.applications().get((fault.target() + i) % stage.applications().size()))
        .filter(each -> !members().partitionsOf(each).isEmpty())
        .findFirst()
        .orElseGet(() -> application(fault));
  }

  private void require(PlannedFault fault, boolean done) {
    if (!done) {
      tally.broken(fault.kind().label() + ": accept-loss or redrive failed; see their logs");
    }
  }

  private Members members() {
    return new Members(stage.cluster().admin(), stage.lives().applicationId());
  }

  private Gateway gateway(PlannedFault fault) {
    return stage.gateways().get(fault.target() % stage.gateways().size());
  }

  private void hold(PlannedFault fault) {
    Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
  }

  private Recovery recovery(PlannedFault fault, Application application) {
    return recovery(fault, members().partitionsOf(application));
  }

  private Recovery recovery(PlannedFault fault, Set<Integer> partitions) {
    Recovery recovery = new Recovery(partitions);
    stage.output().add(recovery);
    tally.recovering(fault.kind(), recovery);
    return recovery;
  }

  private void await(BooleanSupplier recovered) {
    Waiting.until(RECOVERY_TIMEOUT, () -> recovered.getAsBoolean() || ended.getAsBoolean());
  }

  private void report(PlannedFault fault, Recovery recovery) {
    progress.accept("       " + fault.kind().label() + ": " + recovery);
  }
}

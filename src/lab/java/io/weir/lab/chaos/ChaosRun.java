package io.weir.lab.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A run: starts all processes, plays the faults of the plan, repairs everything, waits until every
 * reading was dealt with, and asks the oracle. One thread, and one for each lane of faults.
 */
public final class ChaosRun {
  private static final Duration PROGRESS = Duration.ofSeconds(10);
  private static final Duration ALL_SENSORS_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration VERDICT_TIMEOUT = Duration.ofSeconds(60);

  private final ChaosSettings settings;
  private final Path dir;
  private final Consumer<String> progress;
  private final FaultStats tally = new FaultStats();

  /**
   * @param dir for brokers' data, logs and ledgers; stays
   * @param progress receives progress as lines of text
   */
  public ChaosRun(ChaosSettings settings, Path dir, Consumer<String> progress) {
    this.settings = settings;
    this.dir = dir;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @throws IllegalStateException if processes do not come up
   */
  public ChaosReport run() throws IOException {
    FaultPlan plan =
        FaultPlan.of(settings.seed(), settings.duration(), settings.pauses(), settings.faults());
    progress.accept("seed " + settings.seed());
    plan.lines().forEach(progress);
    progress.accept(
        "starting "
            + settings.brokers()
            + " brokers, "
            + settings.applications()
            + " applications, "
            + settings.gateways()
            + " gateways");
    try (ChaosStage stage = ChaosStage.start(settings, dir)) {
      awaitAllSensors(stage);
      if (settings.ring() > 0) {
        new RingTurns(stage.lives().applicationId()).cleanSoon(stage.cluster().admin());
      }
      OutputGaps gaps = new OutputGaps(System.nanoTime());
      stage.output().add(gaps);
      long startNanos = System.nanoTime();
      haveFaults(stage, plan, gaps, startNanos);
      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
      stage.output().remove(gaps);
      Duration topicGap = gaps.ofTopic(System.nanoTime());
      Duration partitionGap = gaps.ofPartition(System.nanoTime());
      List<String> unsettled = settle(stage);
      LedgerIndex ledgers = ledgers(stage);
      stage.postgres().ifPresent(each -> each.enterCollected(ledgers));
      stage.imports().ifPresent(each -> each.enterImported(ledgers));
      RunVerdict verdict =
          new Oracle(ledgers, settings, stage, VERDICT_TIMEOUT).judge(stage.cluster().direct());
      ExplainedWindows explained = ExplainedWindows.of(stage, progress);
      Optional<EventVerdict> events = stage.events().map(each -> each.judge(progress));
      Optional<PostgresVerdict> postgres = stage.postgres().map(each -> each.judge(progress));
      Optional<ImportOracle.Verdict> imports = stage.imports().map(ImportStage::judge);
      Optional<String> rings =
          settings.ring() == 0
              ? Optional.empty()
              : Optional.of(
                  new RingTurns(stage.lives().applicationId()).read(stage.cluster().direct()));
      for (PlannedFault refusal : plan.lane(FaultKind.Lane.REFUSALS)) {
        progress.accept("changing topics under the applications");
        new RefusedStarts(stage, tally).have(refusal.target()).forEach(tally::neighbours);
      }
      if (!settings.before().isEmpty()) {
        int starts = stage.applications().stream().mapToInt(Application::launchesBefore).sum();
        tally.neighbours("starts of weir run with the classes of the build before: " + starts);
      }
      ChaosReport report =
          new ChaosReport(
              settings,
              tally,
              stage.endedByThemselves(),
              verdict,
              explained,
              events,
              postgres,
              imports,
              rings,
              took,
              topicGap,
              partitionGap,
              unsettled);
      if (!report.isExact()) {
        HalfEndedTransactions.read(dir).lines().forEach(progress);
      }
      return report;
    }
  }

  private List<String> settle(ChaosStage stage) {
    progress.accept("all is repaired; waiting until everything sent is dealt with");
    repair(stage);
    stage.events().ifPresent(EventStage::finishSources);
    stage.postgres().ifPresent(PostgresStage::finishWriting);
    stage.imports().ifPresent(ImportStage::finishSource);
    List<String> unsettled = new DrainWait(stage, progress).await();
    progress.accept("asking the oracle");
    return unsettled;
  }

  /** Until every sensor has sent, as gateways publish theirs in turn, and a window came. */
  private void awaitAllSensors(ChaosStage stage) {
    BooleanSupplier spoken =
        () -> stage.acknowledged() >= settings.sensors() && stage.output().windows() > 0;
    if (!Waiting.until(ALL_SENSORS_TIMEOUT, spoken)) {
      throw new IllegalStateException(
          "after %d s %,d readings are acknowledged and %,d windows came; see the logs in %s"
              .formatted(
                  ALL_SENSORS_TIMEOUT.toSeconds(),
                  stage.acknowledged(),
                  stage.output().windows(),
                  dir));
    }
  }

  private void haveFaults(ChaosStage stage, FaultPlan plan, OutputGaps gaps, long startNanos) {
    long endNanos = startNanos + settings.duration().toNanos();
    BooleanSupplier ended = () -> System.nanoTime() - endNanos >= 0;
    List<Thread> lanes = new ArrayList<>();
    for (FaultKind.Lane lane : EnumSet.complementOf(EnumSet.of(FaultKind.Lane.REFUSALS))) {
      Thread thread =
          new Thread(new FaultLane(plan.lane(lane), stage, tally, progress, ended), "lane " + lane);
      thread.start();
      lanes.add(thread);
    }
    while (lanes.stream().anyMatch(Thread::isAlive)) {
      Waiting.until(PROGRESS, () -> lanes.stream().noneMatch(Thread::isAlive));
      printProgress(stage, gaps, startNanos);
    }
    if (plan.isEmpty()) {
      Waiting.until(settings.duration(), ended);
    }
  }

  private void printProgress(ChaosStage stage, OutputGaps gaps, long startNanos) {
    long nowNanos = System.nanoTime();
    long seconds = Duration.ofNanos(nowNanos - startNanos).toSeconds();
    progress.accept(
        String.format(
            Locale.ROOT,
            "%02d:%02d  %,d readings acknowledged, %,d windows, longest gap %s s; %s",
            seconds / 60,
            seconds % 60,
            stage.acknowledged(),
            stage.output().windows(),
            Durations.seconds(gaps.ofTopic(nowNanos)),
            tally.counts().entrySet().stream()
                .map(done -> done.getKey().label() + " " + done.getValue())
                .collect(Collectors.joining(", "))));
  }

  /** Everything that should be up is, and the network is whole. */
  private void repair(ChaosStage stage) {
    for (int i = 0; i < stage.cluster().size(); i++) {
      stage.cluster().node(i).link().heal();
      stage.cluster().node(i).startIfDead();
    }
    // Windows of sensors that are silent now end by the append times of their partition's leader.
    stage.cluster().alignClocks();
    stage.gateways().forEach(gateway -> gateway.silence(false));
    stage.gateways().forEach(gateway -> gateway.startIfDied(GatewayLife.RESUMED));
  }

  private LedgerIndex ledgers(ChaosStage stage) throws IOException {
    LedgerIndex index = new LedgerIndex();
    for (Gateway gateway : stage.gateways()) {
      index.read(gateway.id(), gateway.ledger());
    }
    return index;
  }
}

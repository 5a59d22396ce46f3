package io.weir.lab.cli;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.cli.Connections;
import io.weir.cli.FeedProgress;
import io.weir.cli.TextFeed;
import io.weir.cli.TextSummary;
import io.weir.edge.CloseReport;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.Publishers;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.app.TopicSchemas;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowSpecs;
import io.weir.internal.ops.Meters;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.topology.WeirTopology;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.lab.Balance;
import io.weir.lab.SummaryRows;
import io.weir.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.LoggerFactory;

/** One replay on a cluster: makes its topics, feeds, waits for the last window, cleans up. */
final class Replay implements AutoCloseable {
  /** The latest summaries: of windows, of rollups of all sizes, of hopping windows. */
  record Result(SummaryRows windows, SummaryRows rollups, SummaryRows hops) {}

  private static final Duration LAST_SENDS = Duration.ofSeconds(60);
  private static final long STALL_MS = 120_000;
  private static final long PROGRESS_MS = 2_000;
  private static final long LOOK_NANOS = 20_000_000;

  private final WeirConfig config;
  private final StatisticsPlan statistics;
  private final PrintWriter err;
  private final BooleanSupplier stopped;
  private final boolean ownBroker;
  private final long startMs = MonotonicClock.millis();
  private final Admin admin;
  private final RefusedReadings refused = new RefusedReadings();
  private ReadingTextReader reader;
  private TextFeed feed;
  private AuditTally tally = AuditTally.NONE;

  /**
   * @param statistics what is computed of all sensors beside count, sum, min and max
   * @param ownBroker whether the broker goes with all that is on it
   */
  Replay(
      WeirConfig config,
      Set<StatisticSet> statistics,
      PrintWriter err,
      BooleanSupplier stopped,
      boolean ownBroker) {
    this.config = config;
    this.statistics =
        StatisticsPlan.ofAll(statistics)
            .withMostSamples(config.windows().statistics().mostSamples());
    this.err = err;
    this.stopped = stopped;
    this.ownBroker = ownBroker;
    this.admin = Connections.admin(config.kafka());
  }

  /**
   * Runs it.
   *
   * @return the latest summary of each window, rollup and hopping window
   * @throws StartRefusedException if it could not be brought to its end
   */
  Result run(ReadingTextReader reader, Optional<RejectsWriter> rejects) throws IOException {
    this.reader = reader;
    requireNotStopped();
    new TopicAdmin(admin, config.topics(), config.topicOptions()).createMissing();
    requireNotStopped();
    WindowSpec windows = WindowSpecs.of(config.windows(), WindowSpec.IdleRule.ALL).with(statistics);
    Auditor auditor =
        Auditor.start(config.kafka().forConsumer(), config.topics(), window -> {}, refused);
    try (auditor;
        StreamsApplication application =
            WeirApplication.start(config, windows, new Meters(new SimpleMeterRegistry()))) {
      long offered = publish(reader, rejects);
      await(auditor, application, offered);
    }
    if (rejects.isPresent()) {
      refused.writeTo(rejects.get());
    }
    return new Result(auditor.summaries(), auditor.rollups(), auditor.hops());
  }

  private long publish(ReadingTextReader reader, Optional<RejectsWriter> rejects)
      throws IOException {
    // Never ordered: windows stay open to what is further down in the files.
    PublisherSettings settings =
        Publishers.build(Publishers.spooling(config, config.applicationId()).ordered(false));
    try (ReadingPublisher publisher = ReadingPublisher.start(settings)) {
      feed = new TextFeed(reader, publisher, rejects, this::say);
      FeedProgress progress = new FeedProgress(feed, err, MonotonicClock::millis);
      feed.run(stopped, progress::tick);
      requireNotStopped();
      CloseReport report = publisher.close(LAST_SENDS);
      if (!report.complete()) {
        throw new StartRefusedException(
            report.unsentReadings() + " readings were not acknowledged within " + LAST_SENDS);
      }
      return feed.accepted();
    }
  }

  /** Until every reading is found again on the topics. */
  private void await(Auditor auditor, StreamsApplication application, long offered) {
    int sizes = config.windows().rollups().levels();
    AuditTally before = null;
    long movedMs = MonotonicClock.millis();
    long saidMs = movedMs;
    while (true) {
      requireNotStopped();
      application
          .ended()
          .getNow(Optional.empty())
          .ifPresent(
              reason -> {
                throw new StartRefusedException(reason);
              });
      tally = auditor.tally();
      Balance balance = tally.balance(offered);
      if (balance.isWhole()
          && tally.inRollups() == sizes * tally.inWindows()
          && hopsAreWhole(auditor)) {
        return;
      }
      long nowMs = MonotonicClock.millis();
      if (!tally.equals(before)) {
        before = tally;
        movedMs = nowMs;
      }
      if (nowMs - movedMs > STALL_MS) {
        throw new StartRefusedException(
            "nothing moved for "
                + STALL_MS / 1000
                + " s: "
                + balance
                + (sizes > 0 ? ", in rollups of each size " + tally.inRollups() / sizes : ""));
      }
      if (nowMs - saidMs > PROGRESS_MS) {
        saidMs = nowMs;
        long found = offered - balance.missing();
        err.printf(Locale.ROOT, "%,d of %,d readings in windows%n", found, offered);
        err.flush();
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private boolean hopsAreWhole(Auditor auditor) {
    return !config.windows().hopping().isOn()
        || auditor.hopsAreWhole(config.windows().size().toMillis());
  }

  private void say(String note) {
    err.println("weir replay: " + note);
    err.flush();
  }

  private void requireNotStopped() {
    if (stopped.getAsBoolean()) {
      throw new StartRefusedException("stopped before the end: no windows were written");
    }
  }

  /** Says what was done. */
  void summarise() {
    double seconds = (MonotonicClock.millis() - startMs) / 1000.0;
    err.printf(
        Locale.ROOT,
        "%,d readings in %,d windows, %,d late, %,d rejected, %,d bad lines, %.1f s%n",
        tally.inWindows(),
        tally.windows(),
        tally.late(),
        tally.rejected(),
        feed.bad(),
        seconds);
    tally
        .rejectedByReason()
        .forEach((reason, count) -> err.printf(Locale.ROOT, "  %s %,d%n", reason, count));
    TextSummary.print(reader, err);
  }

  /** Removes what it made on a cluster that stays. */
  @Override
  public void close() {
    TopicSchemas.of(config).ifPresent(this::quietlyDelete);
    if (ownBroker) {
      admin.close();
    } else {
      removeTopics();
    }
  }

  private void removeTopics() {
    List<String> topics = new ArrayList<>(config.topics().all());
    topics.add(StreamsInput.changelog(config.applicationId(), WeirTopology.STORE));
    List<String> group = List.of(config.applicationId());
    try (admin) {
      // All at once: on a cluster that does not answer each would be waited for.
      List<KafkaFuture<Void>> removals = new ArrayList<>();
      removals.addAll(admin.deleteTopics(topics).topicNameValues().values());
      // A member with a name does not leave by itself, and a group with members cannot go.
      config.instanceId().ifPresent(id -> quietly(removeMembers()));
      removals.addAll(admin.deleteConsumerGroups(group).deletedGroups().values());
      removals.forEach(Replay::quietly);
    }
  }

  private void quietlyDelete(TopicSchemas schemas) {
    try {
      schemas.delete(config.applicationId());
    } catch (KafkaException e) {
      LoggerFactory.getLogger(Replay.class).debug("subjects not removed", e);
    }
  }

  private KafkaFuture<Void> removeMembers() {
    return admin
        .removeMembersFromConsumerGroup(
            config.applicationId(), new RemoveMembersFromConsumerGroupOptions())
        .all();
  }

  /** What is not there need not be removed. */
  private static void quietly(KafkaFuture<Void> removal) {
    try {
      removal.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      LoggerFactory.getLogger(Replay.class).debug("not removed", e);
    }
  }
}

package io.weir.dev.bench;

import io.weir.dev.GroupLag;
import io.weir.topic.TopicNames;
import io.weir.topology.WeirTopology;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;

/**
 * One run of a paced fleet: Weir in a process of its own, the gateways and a reader of its windows
 * in this one, so that Weir's processor time and the broker's stand alone. Then Weir is started
 * once more with the changelog as it is.
 */
final class FleetRun {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long HEAD_START_MS = 1_000;

  private final Fleet fleet;
  private final Task task;
  private final Admin admin;
  private final ChildJvm broker;
  private final List<String> flags;
  private final String classesBefore;
  private final TopicNames names;
  private final String changelog;

  /**
   * @param task of Weir; its topic is the run's own
   * @param flags of Weir's JVM
   * @param classesBefore of another build of Weir, as a class path begins; empty for this one
   */
  FleetRun(
      Fleet fleet,
      Task task,
      Admin admin,
      ChildJvm broker,
      List<String> flags,
      String classesBefore) {
    this.fleet = fleet;
    this.task = task;
    this.admin = admin;
    this.broker = broker;
    this.flags = flags;
    this.classesBefore = classesBefore;
    this.names = RunTopics.of(task.run(), task.topic());
    this.changelog = task.run() + "-" + WeirTopology.STORE + "-changelog";
  }

  /** The run's own topic of readings. */
  static String topicOf(String run) {
    return run + ".readings";
  }

  Figures measure() {
    RunTopics.createFor(task);
    Figures figures = Figures.NONE;
    try (ChildJvm weir = start(task)) {
      ready(weir);
      Map<String, Long> before = Cluster.bytesByTopic(admin);
      double brokerBefore = broker.cpu().toNanos();
      long startNanos = System.nanoTime();
      long startMs = System.currentTimeMillis() + HEAD_START_MS;
      try (FleetWindows windows =
              new FleetWindows(fleet, task.bootstrapServers(), names.windows(), startMs);
          FleetLoad load =
              new FleetLoad(fleet, task.bootstrapServers(), names.readings(), startMs)) {
        long lag = mostLag(load, startNanos);
        figures = Figures.parse(weir.line());
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        figures =
            figures
                .with(windows.end())
                .with(Figure.MOST_LAG_RECORDS, lag)
                .with(
                    Figure.BROKER_PROCESSORS,
                    (broker.cpu().toNanos() - brokerBefore) / 1e9 / seconds)
                .with(bytes(before));
      }
    }
    try (ChildJvm again = start(task.restoring())) {
      double seconds = Figures.parse(again.line()).get(Figure.RESTORE_SECONDS).orElseThrow();
      return figures.with(Figure.RESTORE_SECONDS, seconds);
    }
  }

  private ChildJvm start(Task of) {
    return ChildJvm.start(MeasuredProcess.class.getName(), flags, classesBefore, of.toArguments());
  }

  /** Waits until the process says that it is ready. */
  static void ready(ChildJvm weir) {
    String line = weir.line();
    if (!line.equals(WeirWork.READY)) {
      throw new IllegalStateException("Weir is not ready, and says: " + line);
    }
  }

  /** Waits until all was offered; the largest lag after the warm-up. */
  private long mostLag(FleetLoad load, long startNanos) {
    GroupLag lag = new GroupLag(admin, task.run(), names.readings());
    long most = 0;
    while (!load.isOver()) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (System.nanoTime() - startNanos > fleet.warmUp().toNanos()) {
        most = Math.max(most, lag.records());
      }
    }
    return most;
  }

  /** What the run added to topics, on one replica; the changelog as it is kept, too. */
  private Figures bytes(Map<String, Long> before) {
    Map<String, Long> after = Cluster.bytesByTopic(admin);
    double internal =
        after.entrySet().stream()
            .filter(topic -> topic.getKey().startsWith("__"))
            .mapToLong(topic -> topic.getValue() - before.getOrDefault(topic.getKey(), 0L))
            .sum();
    double readings = fleet.readings();
    return Figures.of(
        Map.of(
            Figure.TOPIC_BYTES_PER_READING,
            after.get(names.readings()) / readings,
            Figure.WINDOWS_BYTES,
            (double) after.get(names.windows()),
            Figure.INTERNAL_BYTES_PER_READING,
            internal / readings,
            Figure.CHANGELOG_KEPT_BYTES,
            (double) after.get(changelog),
            Figure.CHANGELOG_LIVE_BYTES,
            (double) ChangelogContent.liveBytes(task.bootstrapServers(), changelog)));
  }
}

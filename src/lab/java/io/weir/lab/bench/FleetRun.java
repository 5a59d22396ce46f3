package io.weir.lab.bench;

import io.weir.edge.Compression;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.topology.WeirTopology;
import io.weir.lab.GroupLag;
import io.weir.topic.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;

/**
 * One run of a paced fleet: Weir in a process of its own, the gateways and a reader of its windows
 * in this one, so that Weir's processor time and the broker's are apart. Then Weir is started once
 * more with the changelog as it is. Or the gateways alone, which shows what the broker does without
 * Weir.
 */
final class FleetRun {
  private static final long HEAD_START_MS = 1_000;

  private final Fleet fleet;
  private final Task task;
  private final Admin admin;
  private final ChildJvm broker;
  private final List<String> flags;
  private final Compression compression;
  private final String classesBefore;
  private final TopicNames names;
  private final String changelog;

  /**
   * @param task of Weir, or of no Weir; its topic is the run's own
   * @param flags of Weir's JVM
   * @param compression of the gateways
   * @param classesBefore of another build of Weir, as a class path begins; empty for this one
   */
  FleetRun(
      Fleet fleet,
      Task task,
      Admin admin,
      ChildJvm broker,
      List<String> flags,
      Compression compression,
      String classesBefore) {
    this.fleet = fleet;
    this.task = task;
    this.admin = admin;
    this.broker = broker;
    this.flags = flags;
    this.compression = compression;
    this.classesBefore = classesBefore;
    this.names = RunTopics.of(task.run(), task.topic());
    this.changelog = StreamsInput.changelog(task.run(), WeirTopology.STORE);
  }

  /** The run's own topic of readings. */
  static String topicOf(String run) {
    return run + ".readings";
  }

  Figures measure() {
    RunTopics.createFor(task);
    return task.subject() == Subject.OFF ? withoutWeir() : withWeir();
  }

  private Figures withWeir() {
    Figures figures;
    try (ChildJvm weir = start(task)) {
      ready(weir);
      long startMs = System.currentTimeMillis() + HEAD_START_MS;
      try (FleetWindows windows =
              new FleetWindows(fleet, task.bootstrapServers(), names.windows(), startMs);
          FleetLoad load = load(startMs)) {
        FleetCourse course =
            watch(load, startMs, Optional.of(new GroupLag(admin, task.run(), names.readings())));
        figures = Figures.parse(weir.line());
        figures =
            figures
                .with(windows.end())
                .with(Figure.MOST_LAG_RECORDS, course.mostLag())
                .with(course.over().since(course.warm(), measured()))
                .with(bytes(course.warm(), figures));
      }
    }
    try (ChildJvm again = start(task.restoring())) {
      double seconds = Figures.parse(again.line()).get(Figure.RESTORE_SECONDS).orElseThrow();
      return figures.with(Figure.RESTORE_SECONDS, seconds);
    }
  }

  private Figures withoutWeir() {
    long startMs = System.currentTimeMillis() + HEAD_START_MS;
    FleetCourse course;
    try (FleetLoad load = load(startMs)) {
      course = watch(load, startMs, Optional.empty());
    }
    BrokerMark end = BrokerMark.now(broker, admin);
    double seconds = (course.over().nanos() - course.warm().nanos()) / 1e9;
    return course
        .over()
        .since(course.warm(), measured())
        .with(Figure.READINGS_PER_SECOND, measured() / seconds)
        .with(written(course.warm(), end))
        .with(Figure.WRITTEN_BYTES_PER_READING, end.withoutChangelogs(course.warm()) / measured());
  }

  private ChildJvm start(Task of) {
    return ChildJvm.start(MeasuredProcess.class.getName(), flags, classesBefore, of.toArguments());
  }

  private FleetLoad load(long startMs) {
    return new FleetLoad(fleet, compression, task.bootstrapServers(), names.readings(), startMs);
  }

  private FleetCourse watch(FleetLoad load, long startMs, Optional<GroupLag> lag) {
    return FleetCourse.watch(
        load, startMs + fleet.warmUp().toMillis(), () -> BrokerMark.now(broker, admin), lag);
  }

  /** Readings after the warm-up. */
  private double measured() {
    return fleet.readings() - fleet.warmUpReadings();
  }

  /** Waits until the process says that it is ready. */
  static void ready(ChildJvm weir) {
    String line = weir.line();
    if (!line.equals(WeirWork.READY)) {
      throw new IllegalStateException("Weir is not ready, and says: " + line);
    }
  }

  /** What the run added to topics, on one replica; the changelog as it is kept, too. */
  private Figures bytes(BrokerMark warm, Figures ofWeir) {
    BrokerMark end = BrokerMark.now(broker, admin);
    double written = ChangelogWritten.perReading(admin, task.run(), fleet.readings(), ofWeir);
    return written(warm, end)
        .with(
            Figures.of(
                Map.of(
                    Figure.CHANGELOG_WRITTEN_BYTES_PER_READING,
                    written,
                    Figure.WRITTEN_BYTES_PER_READING,
                    end.withoutChangelogs(warm) / measured() + written,
                    Figure.WINDOWS_BYTES,
                    (double) end.bytes().get(names.windows()),
                    Figure.CHANGELOG_KEPT_BYTES,
                    (double) end.bytes().get(changelog),
                    Figure.CHANGELOG_LIVE_BYTES,
                    (double) ChangelogContent.liveBytes(task.bootstrapServers(), changelog))));
  }

  private Figures written(BrokerMark warm, BrokerMark end) {
    return Figures.of(
        Map.of(
            Figure.TOPIC_BYTES_PER_READING,
            end.added(names.readings(), warm) / measured(),
            Figure.INTERNAL_BYTES_PER_READING,
            end.internal(warm) / measured()));
  }
}

package io.weir.lab.bench;

import io.weir.lab.TemporaryDirectory;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A subject whose process is ended as kill -9 does in the middle of its load, and started again:
 * how long until its next committed window, and what it committed in all, compared with a plain
 * pass over the readings. All of it is seen from outside, by a reader of committed windows.
 */
final class KillRun {
  /** Says a line. */
  @FunctionalInterface
  interface Progress {
    void say(String format, Object... values);
  }

  private static final long LOOK_NANOS = 20_000_000;
  private static final long LIMIT_NANOS = 900_000_000_000L;

  private final Task task;
  private final Admin admin;
  private final List<String> flags;
  private final String classesBefore;
  private final Progress progress;
  private final TopicNames names;

  /**
   * @param flags of the subject's JVM
   * @param classesBefore goes in front of its class path; empty for nothing
   */
  KillRun(Task task, Admin admin, List<String> flags, String classesBefore, Progress progress) {
    this.task = task;
    this.admin = admin;
    this.flags = flags;
    this.classesBefore = classesBefore;
    this.progress = progress;
    this.names = RunTopics.of(task.run(), task.topic());
  }

  Figures measure() {
    SubjectWindowCheck check =
        new SubjectWindowCheck(
            PlainPass.over(task.bootstrapServers(), task.topic()), task.closing());
    if (check.missing() == 0) {
      throw new IllegalStateException("the load closes no window: --readings is too small");
    }
    new TopicAdmin(admin, names).createMissing();
    CourseOfKill course = new CourseOfKill(check);
    try (TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
        CommittedRecords records =
            new CommittedRecords(
                task.bootstrapServers(),
                names.windows(),
                record -> {
                  check.take(WindowSummary.parseFrom(record.value()));
                  course.committed(record.partition(), record.offset(), System.nanoTime());
                })) {
      records.start();
      kill(directory, course);
      again(directory, course, records);
    }
    Comparison comparison = check.comparison();
    progress.say("  %s", comparison);
    return course.figures(task.readings()).with(comparison.figures());
  }

  private void kill(TemporaryDirectory directory, CourseOfKill course) {
    try (ChildJvm first = start(directory)) {
      long taken = 0;
      long startNanos = System.nanoTime();
      while (taken < task.readings() / 2 || !course.hasCommitted()) {
        if (System.nanoTime() - startNanos > LIMIT_NANOS) {
          throw new IllegalStateException(
              "after %d s only %d of %d readings, or no window"
                  .formatted(LIMIT_NANOS / 1_000_000_000, taken, task.readings()));
        }
        taken = Long.parseLong(first.line());
      }
      first.kill();
      course.killed(taken, windowEnds());
    }
  }

  private void again(TemporaryDirectory directory, CourseOfKill course, CommittedRecords records) {
    course.startedAgain(System.nanoTime());
    try (ChildJvm second = start(directory);
        TakenReadings taken = new TakenReadings(second)) {
      while (!course.isOver(System.nanoTime())) {
        records.requireHealthy();
        course.takenAgain(taken.newest());
        LockSupport.parkNanos(LOOK_NANOS);
      }
      course.takenAgain(taken.newest());
      second.kill();
    }
  }

  /** What a killed process leaves is in the directory, and goes with it. */
  private ChildJvm start(TemporaryDirectory directory) {
    List<String> all = new ArrayList<>(flags);
    all.add("-Djava.io.tmpdir=" + directory.path());
    return ChildJvm.start(
        MeasuredProcess.class.getName(),
        all,
        classesBefore,
        task.keptIn(directory.path()).toArguments());
  }

  /** Ends of the windows' topic, whatever is not committed there included. */
  private long[] windowEnds() {
    Map<TopicPartition, OffsetSpec> latest =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(number -> new TopicPartition(names.windows(), number))
            .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
    long[] ends = new long[SensorPartition.COUNT];
    KafkaFutures.await(admin.listOffsets(latest).all())
        .forEach((partition, end) -> ends[partition.partition()] = end.offset());
    return ends;
  }
}

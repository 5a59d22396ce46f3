package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.explain.ExplainSettings;
import io.weir.internal.explain.Explainer;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.PartitionLog;
import io.weir.internal.explain.TopicLog;
import io.weir.reading.Fnv1a;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A random sample of the windows on the topics, base, rollups and hopping ones, each explained as
 * {@code weir explain} does it: its number must match. One thread.
 */
final class ExplainedWindows {
  private static final int MOST = 200;

  private final long seed;
  private final int most;
  private final TreeMap<Long, Window> sample = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int matching;
  private int unsure;

  private record Window(String sensorId, long startMs, long sizeMs) {}

  /** With a sample of at most so many. */
  ExplainedWindows(long seed, int most) {
    this.seed = seed;
    this.most = most;
  }

  /** Explains the windows of a run whose applications have read everything. */
  static ExplainedWindows of(ChaosStage stage, Consumer<String> progress) {
    ChaosSettings run = stage.settings();
    ExplainedWindows windows = new ExplainedWindows(run.seed(), MOST);
    String servers = stage.cluster().direct();
    try (PartitionReader reader = new PartitionReader(servers, TopicNames.ALL)) {
      for (Topic topic : List.of(Topic.WINDOWS, Topic.ROLLUPS, Topic.HOPPING)) {
        reader.readAll(
            topic, record -> windows.take(record, partition -> isOneStory(stage, partition)));
      }
    }
    progress.accept("explaining " + windows.sample.size() + " windows");
    ExplainSettings settings = settings(run);
    Admin admin = stage.cluster().admin();
    String application = stage.lives().applicationId();
    try (TopicLog log =
        new TopicLog(settings, application, admin, () -> CommittedTopic.consumer(servers))) {
      windows.explain(settings, log, detail -> isRight(detail, stage));
    }
    return windows;
  }

  /**
   * Whether the readings that are left explain all outputs of a partition: not where a life after
   * the first one did not read some that an earlier one has judged.
   */
  private static boolean isOneStory(ChaosStage stage, int partition) {
    TopicPartition readings = new TopicPartition(TopicNames.DEFAULT.readings(), partition);
    Lives.OfPartition lives = stage.lives().of(partition);
    return lives.count() == 1
        || IntStream.range(0, lives.count()).allMatch(life -> lives.gaps(life, readings).isEmpty());
  }

  /** The reasons for which nobody can tell: memory shorter than the run, and deleted readings. */
  private static boolean isRight(String detail, ChaosStage stage) {
    Duration day = Duration.ofDays(1);
    return detail.contains("silent for long")
            && stage.settings().remembrance().gatewayTtl().compareTo(day) < 0
        || detail.contains(" begins at ") && !stage.deletions().begins().isEmpty();
  }

  private static ExplainSettings settings(ChaosSettings run) {
    MemorySettings memory = run.remembrance();
    return new ExplainSettings(
        TopicNames.ALL::of,
        ChaosSettings.WINDOW_SIZE.toMillis(),
        ChaosSettings.WINDOW_GRACE.toMillis(),
        ChaosSettings.LATENESS.toMillis(),
        ChaosSettings.IDLE_TIMEOUT.toMillis(),
        ChaosSettings.MAX_FUTURE_SKEW.toMillis(),
        ChaosSettings.ROLLUPS.stream().map(Duration::toMillis).toList(),
        ChaosSettings.HOPPING.toMillis(),
        memory.sensorTtl().plus(memory.markTtl()).toMillis(),
        memory.gatewayTtl().plus(memory.markTtl()).toMillis(),
        run.hasSignedReadings(),
        Long.MAX_VALUE);
  }

  /** Each window has the same chance, however often it was emitted. */
  void take(ConsumerRecord<byte[], byte[]> record, IntPredicate partitions) {
    try {
      WindowSummary summary = WindowSummary.parseFrom(record.value());
      if (!partitions.test(SensorPartition.of(summary.getSensorId()))) {
        return;
      }
      long startMs = summary.getWindowStartMs();
      Window window =
          new Window(summary.getSensorId(), startMs, summary.getWindowEndMs() - startMs);
      long id = Fnv1a.hash64(window.toString());
      sample.put(new SplittableRandom(seed ^ id).nextLong(), window);
      if (sample.size() > most) {
        sample.pollLastEntry();
      }
    } catch (InvalidProtocolBufferException e) {
      wrong.add("a window that cannot be read: " + record.topic() + "@" + record.offset());
    }
  }

  /**
   * Explains the sample.
   *
   * @param right whether a reason for which it cannot tell is right
   */
  void explain(ExplainSettings settings, PartitionLog log, Predicate<String> right) {
    for (Window window : sample.values()) {
      Explanation explanation =
          Explainer.explain(
              settings, log, window.sensorId(), window.startMs(), OptionalLong.of(window.sizeMs()));
      String detail = explanation.detail();
      switch (explanation.verdict()) {
        case MATCHES -> matching++;
        case CANNOT_TELL -> {
          unsure++;
          if (!right.test(detail)) {
            wrong.add("cannot tell: %s: %s".formatted(window, detail));
          }
        }
        case DIFFERS -> wrong.add("differs: %s: %s".formatted(window, detail));
      }
    }
  }

  /** The windows that do not match without a right reason, with the verdict. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Whether all match, but for those of which nobody can tell. */
  boolean isExact() {
    return wrong.isEmpty() && (matching > 0 || sample.isEmpty());
  }

  /** What was found, a line each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "explain: %d windows, %d match, of %d nobody can tell, wrong %d",
            sample.size(),
            matching,
            unsure,
            wrong.size()));
    wrong.stream().limit(10).map(each -> "explain " + each).forEach(lines::add);
    return lines;
  }
}

package io.weir.dev.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where the processor time of a profile of {@code weir run} went, by stage. A profile is collapsed
 * stacks with the thread as their first frame, as async-profiler writes them with {@code -t -o
 * collapsed}: {@code frame;frame;... samples}, the outermost first.
 */
public final class StageShares {
  /** What a stream thread does; a sample belongs to the stage of its innermost known frame. */
  enum Stage {
    POLL("poll, decompression included"),
    DECODING("decoding"),
    JUDGING("judging"),
    LOOK_UP("looking sensors up"),
    AGGREGATING("aggregating"),
    EMISSION("emission"),
    UPKEEP("upkeep"),
    CHANGES("changelog written"),
    COMMIT("rest of the commit"),
    OTHERS("Kafka Streams and others");

    private final String words;

    Stage(String words) {
      this.words = words;
    }
  }

  /** What a process spends processor time on. */
  private enum Part {
    STREAM_THREADS("stream threads"),
    PRODUCERS("producers' threads"),
    COMPILER("JIT compiler"),
    COLLECTOR("garbage collector"),
    OTHERS("others");

    private final String words;

    Part(String words) {
      this.words = words;
    }

    static Part of(String thread) {
      if (thread.contains("producer-network-thread")) {
        return PRODUCERS;
      }
      if (thread.contains("CompilerThre")) {
        return COMPILER;
      }
      if (thread.startsWith("[GC ") || thread.startsWith("[G1 ")) {
        return COLLECTOR;
      }
      return thread.contains("-StreamThread-") && !thread.startsWith("[kafka-")
          ? STREAM_THREADS
          : OTHERS;
    }
  }

  /** The beginning of frames that belong to a stage. */
  record Mark(String frame, Stage stage) {}

  /** The first that fits counts. */
  static final List<Mark> MARKS =
      List.of(
          new Mark("io/weir/store/HeapStore.write", Stage.CHANGES),
          new Mark("io/weir/store/HeapStore.flushCache", Stage.CHANGES),
          new Mark("io/weir/store/ThreadStores.write", Stage.CHANGES),
          new Mark(
              "org/apache/kafka/streams/processor/internals/TaskExecutor.commit", Stage.COMMIT),
          new Mark("org/apache/kafka/streams/processor/internals/TaskManager.commit", Stage.COMMIT),
          new Mark("io/weir/topology/OutputSinks.", Stage.EMISSION),
          new Mark("io/weir/wire/BatchDecoder.", Stage.DECODING),
          new Mark("io/weir/reading/ReadingJudge.", Stage.JUDGING),
          new Mark("io/weir/reading/Gateways.", Stage.JUDGING),
          new Mark("io/weir/window/PartitionWindows.recognise", Stage.LOOK_UP),
          new Mark("io/weir/window/Silence.", Stage.UPKEEP),
          new Mark("io/weir/window/PartitionWindows.", Stage.AGGREGATING),
          new Mark("io/weir/window/durable/WindowChanges.", Stage.AGGREGATING),
          new Mark("org/apache/kafka/streams/processor/internals/StreamThread.poll", Stage.POLL));

  private final Map<Part, Long> parts = new EnumMap<>(Part.class);
  private final Map<Stage, Long> stages = new EnumMap<>(Stage.class);

  private StageShares() {}

  /**
   * Reads a profile.
   *
   * @throws IOException if it cannot be read, or is none
   */
  public static StageShares of(Path file) throws IOException {
    StageShares shares = new StageShares();
    try (Stream<String> lines = Files.lines(file)) {
      for (String line : (Iterable<String>) lines::iterator) {
        shares.add(file, line);
      }
    }
    if (!shares.parts.containsKey(Part.STREAM_THREADS)) {
      throw new IOException(file + " has no samples of stream threads");
    }
    return shares;
  }

  private void add(Path file, String line) throws IOException {
    int end = line.lastIndexOf(' ');
    if (end < 0 || !line.substring(end + 1).matches("\\d{1,18}")) {
      throw new IOException(file + " has no collapsed stacks: " + line);
    }
    long samples = Long.parseLong(line.substring(end + 1));
    String[] frames = line.substring(0, end).split(";");
    Part part = Part.of(frames[0]);
    parts.merge(part, samples, Long::sum);
    if (part == Part.STREAM_THREADS) {
      stages.merge(stageOf(frames), samples, Long::sum);
    }
  }

  private static Stage stageOf(String[] frames) {
    for (int i = frames.length - 1; i > 0; i--) {
      for (Mark mark : MARKS) {
        if (frames[i].startsWith(mark.frame())) {
          return mark.stage();
        }
      }
    }
    return Stage.OTHERS;
  }

  /** Shares of the process, and of its stream threads. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    long all = parts.values().stream().mapToLong(Long::longValue).sum();
    lines.add(String.format(Locale.ROOT, "the process, %,d samples", all));
    for (Part part : Part.values()) {
      lines.add(line(part.words, parts.getOrDefault(part, 0L), all));
    }
    long inThreads = parts.get(Part.STREAM_THREADS);
    lines.add(String.format(Locale.ROOT, "its stream threads, %,d samples", inThreads));
    for (Stage stage : Stage.values()) {
      lines.add(line(stage.words, stages.getOrDefault(stage, 0L), inThreads));
    }
    return lines;
  }

  private static String line(String words, long samples, long all) {
    return String.format(Locale.ROOT, "  %-30s %5.1f %%", words, 100.0 * samples / all);
  }
}

package io.weir.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the processor time of a profile of {@code weir run} went, by stage. A profile is collapsed
 * stacks with the thread as their first frame, as async-profiler writes them with {@code -t -o
 * collapsed}: {@code frame;frame;... samples}, the outermost first.
 */
public final class StageShares {
  /**
   * What a stream thread does. A sample within the writing of the changelog belongs there, any
   * other to the stage of its innermost known frame.
   */
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

  /** What a process spends processor time on; the collectors are G1, Parallel and Serial. */
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
      if (thread.startsWith("[GC ")
          || thread.startsWith("[G1 ")
          || thread.startsWith("[VM Thread")) {
        return COLLECTOR;
      }
      return thread.contains("-StreamThread-") && !thread.startsWith("[kafka-")
          ? STREAM_THREADS
          : OTHERS;
    }
  }

  /** The beginning of frames that belong to a stage. */
  record Mark(String frame, Stage stage) {
    boolean fits(String other) {
      return other.startsWith(frame);
    }
  }

  private static final Mark FLUSH =
      new Mark("io/weir/internal/store/HeapStore.flushCache", Stage.CHANGES);

  /** The first that fits counts. */
  static final List<Mark> MARKS =
      List.of(
          FLUSH,
          new Mark(
              "org/apache/kafka/streams/processor/internals/TaskExecutor.commit", Stage.COMMIT),
          new Mark("org/apache/kafka/streams/processor/internals/TaskManager.commit", Stage.COMMIT),
          new Mark("io/weir/internal/topology/OutputSinks.", Stage.EMISSION),
          new Mark("io/weir/internal/wire/BatchDecoder.", Stage.DECODING),
          new Mark("io/weir/reading/ReadingJudge.", Stage.JUDGING),
          new Mark("io/weir/reading/Gateways.", Stage.JUDGING),
          new Mark("io/weir/internal/window/PartitionWindows.recognise", Stage.LOOK_UP),
          new Mark("io/weir/internal/window/IdleSensors.", Stage.UPKEEP),
          new Mark("io/weir/internal/window/PartitionWindows.", Stage.AGGREGATING),
          new Mark("org/apache/kafka/streams/processor/internals/StreamThread.poll", Stage.POLL));

  /** Frames, of which the first is the thread, and how many samples have them. */
  private static final Pattern STACK = Pattern.compile("([^;].*) ([1-9]\\d{0,12})");

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
    // Any bytes are text in this charset, so that what is no profile is said below.
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher stack = STACK.matcher(line);
        if (!stack.matches()) {
          throw new IOException(file + " has no collapsed stacks");
        }
        shares.add(stack.group(1).split(";"), Long.parseLong(stack.group(2)));
      }
    }
    if (!shares.parts.containsKey(Part.STREAM_THREADS)) {
      throw new IOException(file + " has no samples of stream threads");
    }
    if (shares.stages.keySet().equals(Set.of(Stage.OTHERS))) {
      throw new IOException(file + " has no frame of a stage: class names are whole, with slashes");
    }
    return shares;
  }

  private void add(String[] frames, long samples) {
    Part part = Part.of(frames[0]);
    parts.merge(part, samples, Long::sum);
    if (part == Part.STREAM_THREADS) {
      stages.merge(stageOf(frames), samples, Long::sum);
    }
  }

  private static Stage stageOf(String[] frames) {
    if (Arrays.stream(frames).anyMatch(FLUSH::fits)) {
      return FLUSH.stage();
    }
    for (int i = frames.length - 1; i > 0; i--) {
      for (Mark mark : MARKS) {
        if (mark.fits(frames[i])) {
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

package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.lab.oracle.NaiveWindows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A replay of a file, and the windows that it wrote. */
abstract class ReplayFixture {
  @TempDir Path dir;

  /** In this JVM, which takes half the CPU of a process. */
  void replay(String windowSize, Path file, String... more) throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("io.weir");
    Level level = logger.getLevel();
    try {
      check(WeirTest.runHere(arguments(windowSize, file, more)));
    } finally {
      logger.setLevel(level); // The command limits its own log.
    }
  }

  void replayInAProcess(String windowSize, Path file, String... more) throws Exception {
    check(WeirProcess.run(arguments(windowSize, file, more)));
  }

  private String[] arguments(String windowSize, Path file, String... more) {
    List<String> arguments = new ArrayList<>(List.of("replay", "--window-size", windowSize));
    arguments.addAll(List.of("--out", dir.resolve("windows").toString()));
    arguments.addAll(List.of("--rejects", dir.resolve("rejects").toString()));
    arguments.addAll(List.of(more));
    arguments.add(file.toString());
    return arguments.toArray(String[]::new);
  }

  private static void check(WeirProcess.Ended ended) {
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).contains("starts a Kafka of its own").doesNotContain(" INFO ");
  }

  Map<NaiveWindows.Key, String[]> windows() throws IOException {
    List<String> lines = Files.readAllLines(dir.resolve("windows"), StandardCharsets.UTF_8);
    assertThat(lines.get(0))
        .isEqualTo("sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision");
    Map<NaiveWindows.Key, String[]> windows = new TreeMap<>();
    List<NaiveWindows.Key> order = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] window = split(line);
      NaiveWindows.Key key = new NaiveWindows.Key(window[0], Long.parseLong(window[1]));
      order.add(key);
      windows.put(key, window);
    }
    assertThat(order).isEqualTo(new ArrayList<>(windows.keySet()));
    return windows;
  }

  /** Only the first field may be quoted. */
  static String[] split(String line) {
    if (!line.startsWith("\"")) {
      return line.split(",");
    }
    int end = line.lastIndexOf('"');
    String[] fields = ("," + line.substring(end + 2)).split(",");
    fields[0] = line.substring(1, end).replace("\"\"", "\"");
    return fields;
  }
}

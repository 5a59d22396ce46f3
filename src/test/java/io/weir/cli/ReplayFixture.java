package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A replay of a file in a process of its own, and the windows that it wrote. */
abstract class ReplayFixture {
  @TempDir Path dir;

  void replay(String windowSize, Path file, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("replay", "--window-size", windowSize));
    arguments.addAll(List.of("--out", dir.resolve("windows").toString()));
    arguments.addAll(List.of("--rejects", dir.resolve("rejects").toString()));
    arguments.addAll(List.of(more));
    arguments.add(file.toString());
    WeirProcess.Ended ended = WeirProcess.run(arguments.toArray(String[]::new));
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

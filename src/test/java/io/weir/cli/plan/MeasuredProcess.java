package io.weir.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs a load in a JVM of its own; gives its figures by name, the last of each. */
final class MeasuredProcess {
  private MeasuredProcess() {}

  static Map<String, Double> run(Class<?> load, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
    command.add("-XX:MarkSweepAlwaysCompactCount=1"); // Garbage that is left in place counts.
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(load.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    Map<String, Double> figures = new TreeMap<>();
    for (String line : said.lines().toList()) {
      String[] words = line.split(" ");
      if (words.length == 2 && words[1].matches("-?[0-9.]+(E[0-9]+)?")) {
        figures.put(words[0], Double.valueOf(words[1]));
      }
    }
    return figures;
  }
}

package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The flags that a JVM ends up with, as NAME=VALUE. */
final class JavaFlags {
  private JavaFlags() {}

  /**
   * Runs a command that ends by itself.
   *
   * @param toolOptions JAVA_TOOL_OPTIONS
   */
  static Set<String> of(List<String> command, String toolOptions) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_TOOL_OPTIONS", toolOptions + " -XX:+PrintFlagsFinal");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 3 && words[2].equals("="))
        .map(words -> words[1] + "=" + words[3])
        .collect(Collectors.toSet());
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedKafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The publisher's defaults on a machine with little memory: a JVM takes a quarter of it. */
@Timeout(600)
class SmallMachineTest {
  /** What a JVM takes by itself of 256 MiB. */
  private static final String HEAP = "-Xmx64m";

  /** A million readings, the default capacity, of ids of 256 bytes would be 320 MiB. */
  @Test
  void brokersAway_offersAreSuspendedBeforeMemoryRunsOut_andAllIsHandedOut() throws Exception {
    String said = run("fill", "127.0.0.1:1");

    assertThat(figure(said, "accepted")).isGreaterThan(20_000);
    assertThat(figure(said, "handed-out")).isEqualTo(figure(said, "accepted"));
  }

  @Test
  void moreThanFitsTheMemory_isSentThroughIt() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.readings", Map.of());

      assertThat(run("send", kafka.bootstrapServers(), "200000")).contains("complete true");
    }
  }

  /** What it costs, for a machine with nothing else to do. By {@code -Dweir.steady.seconds=60}. */
  @Test
  @EnabledIfSystemProperty(named = "weir.steady.seconds", matches = "[0-9]+")
  void hundredReadingsASecond_figures() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.readings", Map.of());
      String seconds = System.getProperty("weir.steady.seconds");

      for (String flushMs : List.of("20", "1000")) {
        String said = run("steady", kafka.bootstrapServers(), seconds, flushMs);
        System.out.println("100 readings a second, flush interval " + flushMs + " ms: " + said);
        assertThat(said).contains("cpu-percent-of-a-core");
      }
    }
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(HEAP, "-XX:+ExitOnOutOfMemoryError", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(SmallMachine.class.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().filter(line -> line.matches("[a-z-]+ [0-9.]+ .*")).findFirst().orElse(said);
  }

  private static long figure(String said, String name) {
    String[] words = said.split(" ");
    return Long.parseLong(words[List.of(words).indexOf(name) + 1]);
  }
}

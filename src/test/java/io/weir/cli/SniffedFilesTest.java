package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files as programs and loggers write them: sniff reads each sensor, time and value, and asks what
 * the file leaves open. {@code expected.txt} has the readings of each file, the reasons of invalid
 * lines behind an exclamation mark, and the beginnings of the questions behind a question mark.
 */
class SniffedFilesTest {
  private static final Path FILES = Path.of("src/test/resources/io/weir/cli/files");

  static Stream<String> files() throws IOException {
    return expected().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void file_isReadAsItIsMeant(String name) throws Exception {
    SniffCommand.Look look = SniffCommand.look(FILES.resolve(name));

    List<String> found = new ArrayList<>();
    look.readings().forEach(reading -> found.add(inShort(reading)));
    look.bad().forEach((reason, count) -> found.add("! " + reason + " " + count));
    look.sniffed().undecided().stream()
        .map(line -> "? " + line.split("[,:;]")[0])
        .forEach(found::add);
    assertThat(found)
        .as("%s", look.sniffed().typed())
        .containsExactlyElementsOf(expected().get(name));
  }

  @Test
  void everyFile_isExpected() throws Exception {
    try (Stream<Path> files = Files.list(FILES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsAll(expected().keySet())
          .hasSize(expected().size() + 1);
    }
  }

  private static String inShort(Reading reading) {
    Instant time = Instant.ofEpochMilli(reading.timestampMs());
    return "%s | %s | %s".formatted(reading.sensorId(), time, reading.value());
  }

  private static Map<String, List<String>> expected() throws IOException {
    Map<String, List<String>> expected = new LinkedHashMap<>();
    List<String> lines = List.of();
    for (String line : Files.readAllLines(FILES.resolve("expected.txt"))) {
      if (line.startsWith("= ")) {
        lines = new ArrayList<>();
        expected.put(line.substring(2), lines);
      } else if (!line.isBlank()) {
        lines.add(line);
      }
    }
    return expected;
  }
}

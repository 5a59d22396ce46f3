package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextLine;
import io.weir.internal.text.sniff.Sniffed;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is guessed of the example files reads what is written beside them. */
class SniffCommandTest {
  private static final Path FILES = Path.of("src/examples/files");

  /** With what only a user knows: the zone of local times, and another name for a sensor. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain.csv            |",
        "german-export.csv    | time-zone=Europe/Berlin",
        "wide.csv             |",
        "excel-unicode.txt    | time-zone=Europe/Berlin",
        "windows-1252.csv     | time-zone=Europe/Berlin",
        "date-and-time.csv    | time-zone=Europe/Berlin",
        "us-office.csv        | time-zone=America/Chicago",
        "seconds-no-header.csv|",
        "microseconds.csv     |",
        "excel-serial.csv     |",
        "opc-quality.csv      |",
        "aligned.dat          |",
        "cellar.csv           | time-zone=Europe/Berlin sensor-id={file}",
        "nested.jsonl         |",
        "array.json           |",
        "flat.jsonl           |",
        "telegraf.lp          | sensor-id={tag:host}/{field}",
        "pandas.csv           |",
        "excel-quotes.csv     | sensor-id={column:id}",
      })
  void guess_readsWhatIsWrittenBesideTheFile(String name, String given) throws Exception {
    List<String> expected =
        Files.readAllLines(FILES.resolve(name + ".expected")).stream()
            .filter(line -> line.matches(".* (GOOD|UNCERTAIN|BAD)"))
            .map(line -> line.substring(line.indexOf(' ') + 1))
            .toList();

    assertThat(readings(FILES.resolve(name), given)).isEqualTo(expected);
  }

  private static List<String> readings(Path file, String given) throws IOException {
    Sniffed sniffed = SniffCommand.look(file).sniffed();
    for (String option : given == null ? new String[0] : given.split(" ")) {
      sniffed.options().put(option.split("=")[0], option.split("=")[1]);
    }
    List<String> readings = new ArrayList<>();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(file.toString()),
            Pipes.of(InputStream.nullInputStream()),
            SniffCommand.form(sniffed),
            Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Good good) {
          Reading reading = good.reading();
          readings.add(
              "%s %d %s %s"
                  .formatted(
                      reading.sensorId(),
                      reading.timestampMs(),
                      reading.value(),
                      reading.quality()));
        }
      }
    }
    return readings;
  }
}

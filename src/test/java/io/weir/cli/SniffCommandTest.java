package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.text.FileSample;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextLine;
import io.weir.internal.text.sniff.Sniffed;
import io.weir.internal.text.sniff.Sniffer;
import io.weir.reading.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is guessed of the example files reads what is written beside them. */
class SniffCommandTest {
  private static final Path FILES = Path.of("src/examples/files");

  /** Files of which only the time zone, or the sensors' names, may be another. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain.csv",
        "german-export.csv",
        "wide.csv",
        "excel-unicode.txt",
        "windows-1252.csv",
        "date-and-time.csv",
        "us-office.csv",
        "seconds-no-header.csv",
        "microseconds.csv",
        "excel-serial.csv",
        "opc-quality.csv",
        "aligned.dat",
        "cellar.csv",
        "nested.jsonl",
        "array.json",
        "flat.jsonl",
        "telegraf.lp",
        "pandas.csv",
        "excel-quotes.csv"
      })
  void guess_readsTheValuesThatAreWrittenBesideTheFile(String name) throws Exception {
    List<String> expected =
        Files.readAllLines(FILES.resolve(name + ".expected")).stream()
            .filter(line -> line.matches(".* (GOOD|UNCERTAIN|BAD)"))
            .map(line -> line.split(" ")[line.split(" ").length - 2])
            .toList();

    assertThat(values(FILES.resolve(name))).isEqualTo(expected);
  }

  private static List<String> values(Path file) throws IOException {
    Sniffed sniffed = Sniffer.look(FileSample.of(file));
    List<String> values = new ArrayList<>();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(file.toString()),
            Pipes.of(InputStream.nullInputStream()),
            Sniffer.form(sniffed),
            Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Good good) {
          values.add(Double.toString(good.reading().value()));
        }
      }
    }
    return values;
  }
}

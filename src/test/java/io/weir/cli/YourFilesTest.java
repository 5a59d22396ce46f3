package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextLine;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The page for newcomers: every row of its table, tried on the file that it names. */
class YourFilesTest {
  private static final Path FILES = Path.of("src/examples/files");
  private static final Path PAGE = Path.of("docs/files.md");
  private static final Path FORMATS = Path.of("docs/reference/text-formats.md");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  record Row(List<String> options, String file) {
    @Override
    public String toString() {
      return file;
    }
  }

  @Command
  static final class Taking {
    @Mixin private TextOptions text;
  }

  static Stream<Row> rows() throws IOException {
    String page = Files.readString(PAGE);
    String table = page.substring(page.indexOf("<!-- files:"), page.indexOf("## CSV columns"));
    return table
        .lines()
        .skip(3)
        .filter(line -> line.startsWith("|"))
        .map(line -> line.split(" *\\| *", -1))
        .map(cells -> new Row(words(cells[2].replace("`", "")), cells[3]));
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(line);
    while (matcher.find()) {
      String word = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      words.add(word.endsWith(".yaml") ? FILES.resolve(word).toString() : word);
    }
    return words;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void file_withTheOptionsOfItsRow_givesWhatIsWrittenBesideIt(Row row) throws Exception {
    assertThat(outcomes(row))
        .isEqualTo(Files.readAllLines(FILES.resolve(row.file() + ".expected")));
  }

  @Test
  void everyFile_hasItsRow() throws Exception {
    try (Stream<Path> files = Files.list(FILES)) {
      assertThat(files.map(file -> file.getFileName().toString()).filter(this::isInput))
          .containsExactlyInAnyOrderElementsOf(rows().map(Row::file).toList());
    }
  }

  private boolean isInput(String name) {
    return !name.endsWith(".expected") && !name.endsWith(".yaml");
  }

  @Test
  void mappings_onThePage_areTheFiles() throws Exception {
    Matcher example =
        Pattern.compile(
                "<!-- mapping: held equal to (\\S+) by a test -->\n```yaml\n(.*?)```",
                Pattern.DOTALL)
            .matcher(Files.readString(FORMATS));
    int examples = 0;
    for (; example.find(); examples++) {
      assertThat(example.group(2)).isEqualTo(Files.readString(Path.of(example.group(1))));
    }
    assertThat(examples).isEqualTo(3);
  }

  private static List<String> outcomes(Row row) throws IOException {
    Taking taking = new Taking();
    new CommandLine(taking).parseArgs(row.options().toArray(String[]::new));
    List<String> outcomes = new ArrayList<>();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(FILES.resolve(row.file()).toString()),
            Pipes.of(InputStream.nullInputStream()),
            taking.text.form(),
            Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        outcomes.add(line.lineNo() + " " + outcome(line));
      }
    }
    return outcomes;
  }

  private static String outcome(TextLine line) {
    if (line instanceof TextLine.Bad bad) {
      return bad.reason().toString();
    }
    Reading r = ((TextLine.Good) line).reading();
    return r.sensorId() + " " + r.timestampMs() + " " + r.value() + " " + r.quality();
  }
}

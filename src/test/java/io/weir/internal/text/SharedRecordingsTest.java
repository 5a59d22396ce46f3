package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.lab.oracle.NaiveWindows;
import io.weir.oracle.SharedData;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Real recordings against the rejects and windows that another program found in them. */
class SharedRecordingsTest {
  @Test
  void recordings_readAsText_giveTheOraclesRejectsAndWindows() throws IOException {
    assumeTrue(SharedData.folder().isPresent(), "no ../shared/data");
    Path folder = SharedData.folder().orElseThrow();
    List<String> names;
    try (Stream<Path> files = Files.list(folder)) {
      names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".rejects.csv.gz"))
              .map(name -> name.substring(0, name.indexOf(".rejects.csv.gz")))
              .sorted()
              .toList();
    }
    assertThat(names).isNotEmpty();
    for (String name : names) {
      check(folder, name);
    }
  }

  private static void check(Path folder, String name) throws IOException {
    List<String> rejects = new ArrayList<>();
    NaiveWindows windows = new NaiveWindows(60_000);
    String file = folder.resolve(name + ".csv.gz").toString();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(file),
            Pipes.of(InputStream.nullInputStream()),
            TextForm.of(TextFormat.DETECT),
            Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Bad bad) {
          String reason = bad.reason().name().toLowerCase(Locale.ROOT);
          rejects.add(bad.lineNo() + "," + reason + ",\"" + new String(bad.line(), UTF_8) + "\"");
        } else {
          Reading r = ((TextLine.Good) line).reading();
          windows.add(r.sensorId(), r.timestampMs(), r.value(), r.quality());
        }
      }
      assertThat(reader.bytesRead()).isEqualTo(reader.bytesTotal().orElseThrow());
    }
    assertThat(rejects).isEqualTo(lines(folder.resolve(name + ".rejects.csv.gz")));
    checkWindows(windows, lines(folder.resolve(name + ".windows-60s.csv.gz")));
  }

  private static void checkWindows(NaiveWindows windows, List<String> expected) {
    assertThat(windows.windows()).hasSameSizeAs(expected);
    int at = 0;
    for (var window : windows.windows().entrySet()) {
      String row = expected.get(at++);
      String[] columns = row.split(",", -1);
      assertThat(window.getKey().sensorId()).isEqualTo(columns[0]);
      assertThat(window.getKey().startMs()).as(row).isEqualTo(Long.parseLong(columns[1]));
      assertThat(window.getValue().count()).as(row).isEqualTo(Long.parseLong(columns[2]));
      double sum = Double.parseDouble(columns[3]);
      assertThat(window.getValue().sum().doubleValue()).as(row).isEqualTo(sum);
      assertThat(window.getValue().min()).as(row).isEqualTo(Double.parseDouble(columns[4]));
      assertThat(window.getValue().max()).as(row).isEqualTo(Double.parseDouble(columns[5]));
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
      return in.lines().skip(1).toList();
    }
  }
}

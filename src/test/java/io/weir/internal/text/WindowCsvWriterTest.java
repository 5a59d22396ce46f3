package io.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowCsvWriterTest {
  private static final String HEADER =
      "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision\n";

  @TempDir Path folder;

  @Test
  void summaries_areALineEach() throws IOException {
    Path file = folder.resolve("w.csv");
    WindowCsvWriter.write(
        file,
        List.of(
            new SummaryRow("a", -10, 0, 2, 1, 0.1 + 0.2, 1e-7, 1e300, 3),
            new SummaryRow("b,\"c\"\u00e9", 0, 10, 0, 5, 0, 0, 0, -1)),
        List.of());
    assertThat(Files.readString(file))
        .isEqualTo(
            HEADER
                + "a,-10,0,2,0.30000000000000004,1.0E-7,1.0E300,3\n"
                + "\"b,\"\"c\"\"\u00e9\",0,10,0,0.0,0.0,0.0,4294967295\n");
  }

  @Test
  void noSummaries_areTheHeader() throws IOException {
    Path file = Files.writeString(folder.resolve("w.csv"), "older and longer".repeat(100));
    WindowCsvWriter.write(file, List.of(), List.of());
    assertThat(Files.readString(file)).isEqualTo(HEADER);
  }

  @Test
  void doubles_parseBackToTheSameDouble() throws IOException {
    long seed = 77;
    Random random = new Random(seed);
    Path file = folder.resolve("w.csv");
    for (int i = 0; i < 500; i++) {
      double sum = Double.longBitsToDouble(random.nextLong());
      if (!Double.isNaN(sum)) {
        WindowCsvWriter.write(
            file, List.of(new SummaryRow("a", 0, 1, 1, 0, sum, 0, 0, 0)), List.of());
        String written = Files.readAllLines(file).get(1).split(",")[4];
        assertThat(Double.parseDouble(written)).as("seed %d", seed).isEqualTo(sum);
      }
    }
  }

  @Test
  void failure_halfWay_leavesTheOldFileAndNothingBesideIt() throws IOException {
    Path file = Files.writeString(folder.resolve("w.csv"), "old");
    Iterable<SummaryRow> failing =
        () ->
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public SummaryRow next() {
                throw new IllegalStateException("broken");
              }
            };
    assertThatThrownBy(() -> WindowCsvWriter.write(file, failing, List.of())).hasMessage("broken");
    assertThat(Files.readString(file)).isEqualTo("old");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void symbolicLink_staysALinkAndItsTargetIsReplaced() throws IOException {
    Path target = Files.writeString(folder.resolve("target.csv"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("w.csv"), target);
    WindowCsvWriter.write(link, List.of(), List.of());
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(target)).isEqualTo(HEADER);
  }

  @Test
  void newFile_hasThePermissionsOfAnyOtherNewFile() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "");
    Path file = folder.resolve("w.csv");
    WindowCsvWriter.write(file, List.of(), List.of());
    assertThat(Files.getPosixFilePermissions(file))
        .contains(PosixFilePermission.OWNER_READ)
        .isEqualTo(Files.getPosixFilePermissions(other));
  }
}

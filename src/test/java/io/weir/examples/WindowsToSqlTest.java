package io.weir.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example that follows windows into a database, run with SQLite by Python's own module. */
class WindowsToSqlTest {
  private static final String EXAMPLE = "src/examples/python/windows_to_sql.py";

  /** Executes SQL from standard input in a file's database, and prints its rows. */
  private static final String SQLITE =
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript(sys.stdin.read())
      for row in database.execute('SELECT * FROM windows ORDER BY sensor_id, window_start_ms'):
          print(*row, sep='|')
      """;

  @TempDir private Path directory;

  @Test
  void eachWindow_isARow_asItsLastRecordHasIt() throws Exception {
    String rows =
        rowsAfter(
            window("a'b", 0, 1, "5.5", 10)
                + window("a'b", 10_000, 1, "7.25", 11)
                + window("a'b", 0, 2, "6.5", 12)
                + window("none", 0, 0, "0.0", 13)
                + window("much", 0, 3, "\"Infinity\"", 14)
                + "{\"value_base64\":\"AQ==\",\"topic\":\"weir.windows\",\"offset\":15}\n");

    assertThat(rows)
        .isEqualTo(
            """
            a'b|0|10000|2|3|6.5|6.5|6.5|12
            a'b|10000|20000|1|3|7.25|7.25|7.25|11
            much|0|10000|3|3|None|None|None|14
            none|0|10000|0|3|None|None|None|13
            """);
  }

  @Test
  void rerunFromTheBeginning_changesNothing_andNeverGoesBack() throws Exception {
    String first = window("a", 0, 1, "5.0", 10);
    rowsAfter(first + window("a", 0, 2, "6.0", 12));

    assertThat(rowsAfter(first)).isEqualTo("a|0|10000|2|3|6.0|6.0|6.0|12\n");
  }

  private static String window(String sensor, long startMs, long count, String value, long offset) {
    return ("{\"sensor_id\":\"%s\",\"window_start_ms\":%d,\"window_end_ms\":%d,\"count\":%d,"
            + "\"sum\":%s,\"min\":%s,\"max\":%s,\"revision\":0,\"bad_count\":3,\"offset\":%d}\n")
        .formatted(sensor, startMs, startMs + 10_000, count, value, value, value, offset);
  }

  private String rowsAfter(String lines) throws Exception {
    assumeTrue(runs("python3", "-c", "import sqlite3"), "no python3 with sqlite3");
    Path sql = directory.resolve("statements.sql");
    run(Files.writeString(directory.resolve("lines"), lines), sql, "python3", EXAMPLE);
    Path rows = directory.resolve("rows");
    run(sql, rows, "python3", "-c", SQLITE, directory.resolve("windows.db").toString());
    return Files.readString(rows, UTF_8);
  }

  private static void run(Path in, Path out, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}

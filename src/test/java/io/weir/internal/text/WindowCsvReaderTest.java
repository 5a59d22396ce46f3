package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowCsvReaderTest {
  private static final String HEADER =
      "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision\n";

  @Test
  void reader_readsWhatTheWriterWrites() throws IOException {
    List<SummaryRow> summaries =
        List.of(
            new SummaryRow("a", 0, 10_000, 3, 1, 0.1 + 0.2, -0.0, Double.MAX_VALUE, -1),
            new SummaryRow("b, \"north\"", 10_000, 20_000, 1, 0, 1e-300, 2, 2, 7),
            new SummaryRow("two\nlines", 10_000, 20_000, 1, 0, Double.POSITIVE_INFINITY, 2, 2, 7),
            new SummaryRow("\"\"", 0, 1, 0, 5, 0, 0, 0, 0));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    WindowCsvWriter.write(file, summaries, WindowColumn.parse("mean,bad_count"));

    assertThat(read(file.toString(UTF_8))).isEqualTo(summaries);
  }

  @Test
  void reader_findsColumnsByName_whateverTheirOrder() throws IOException {
    assertThat(
            read(
                "\ufeffmax,min,more,sum,count,window_end_ms,window_start_ms,sensor_id\r\n"
                    + "4,1,x,5,2,20,10,a\r\n"))
        .containsExactly(new SummaryRow("a", 10, 20, 2, 0, 5, 1, 4, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'a,0,10,1,1,1,1'| f.csv: line 2: 7 cells and not 8",
        "'a,0,10,1,x,1,1,0'| f.csv: line 2: a number cannot be read: For input string: \"x\"",
        "'a,10,10,1,1,1,1,0'| f.csv: line 2: the window does not end after its start",
        "'\"a,10,20,1,1,1,1,0'| f.csv: line 2: a quote is not closed"
      })
  void lineThatIsNoWindow_isNamed(String line, String message) {
    assertThatThrownBy(() -> read(HEADER + line)).hasMessage(message);
  }

  @Test
  void fileOfReadings_isNoFileOfWindows() {
    assertThatThrownBy(() -> read("sensor_id,timestamp_ms,value\na,1,2\n"))
        .hasMessageStartingWith("f.csv: no file of windows, as weir replay --out writes it");
    assertThatThrownBy(() -> read("")).hasMessageStartingWith("f.csv: no file of windows");
  }

  private static List<SummaryRow> read(String text) throws IOException {
    List<SummaryRow> windows = new ArrayList<>();
    WindowCsvReader.read("f.csv", new ByteArrayInputStream(text.getBytes(UTF_8)), windows::add);
    return windows;
  }
}

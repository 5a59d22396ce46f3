package io.weir.inner;

import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextFormat;
import io.weir.internal.text.TextLine;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A file of text to readings, as replay and edge read it; the file is in the page cache. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TextBenchmark {
  private static final int READINGS = 200_000;
  private static final int SENSORS = 500;
  private static final int COLUMNS = 10;
  private static final long START_MS = 1_782_288_000_000L;

  /** What a file looks like. */
  public enum Look {
    /** The default form. */
    PLAIN_CSV("sensor_id,timestamp_ms,value", Map.of(), Look::plain),
    /** Semicolons, a decimal comma, local times in ISO 8601. */
    MAPPED_CSV(
        "Tag;Zeit;Wert",
        Map.of(
            "delimiter", ";",
            "decimal-comma", "true",
            "columns", "sensor_id=Tag,timestamp=Zeit,value=Wert",
            "time-format", "iso",
            "time-zone", "Europe/Berlin"),
        Look::german),
    /** A time and ten sensors a line. */
    WIDE_CSV(
        "time,"
            + IntStream.range(0, COLUMNS).mapToObj(i -> "s" + i).collect(Collectors.joining(",")),
        Map.of("wide", "true"),
        Look::wide) {
      @Override
      int readingsPerLine() {
        return COLUMNS;
      }
    },
    /** JSON lines with the default names. */
    JSON_LINES("", Map.of(), Look::json);

    private final String header;
    private final Map<String, String> options;
    private final IntFunction<String> line;

    Look(String header, Map<String, String> options, IntFunction<String> line) {
      this.header = header;
      this.options = options;
      this.line = line;
    }

    int readingsPerLine() {
      return 1;
    }

    TextForm form() {
      return options.isEmpty()
          ? TextForm.of(TextFormat.DETECT)
          : TextForm.of(TextFormat.DETECT, MappingOptions.parse(options));
    }

    String text() {
      return IntStream.range(0, READINGS / readingsPerLine())
          .mapToObj(line)
          .collect(Collectors.joining("\n", header + "\n", "\n"));
    }

    private static double value(int i) {
      return Math.rint(new Random(i).nextDouble() * 1e5) / 1e3;
    }

    private static String plain(int i) {
      return "hall-3/s" + i % SENSORS + "," + (START_MS + i) + "," + value(i);
    }

    private static String german(int i) {
      return String.format(
          Locale.GERMAN,
          "Halle 3/S%d;2026-06-24 %02d:%02d:%02d;%.3f",
          i % SENSORS,
          i / 3600 % 24,
          i / 60 % 60,
          i % 60,
          value(i));
    }

    private static String wide(int i) {
      return (START_MS + i)
          + IntStream.range(0, COLUMNS)
              .mapToObj(column -> "," + value(i * COLUMNS + column))
              .collect(Collectors.joining());
    }

    private static String json(int i) {
      return String.format(
          Locale.ROOT,
          "{\"sensor_id\":\"hall-3/s%d\",\"timestamp_ms\":%d,\"value\":%s}",
          i % SENSORS,
          START_MS + i,
          value(i));
    }
  }

  @Param private Look look;

  private Path file;

  @Setup
  public void file() throws IOException {
    file = Files.createTempFile("weir-text", ".txt");
    Files.writeString(file, look.text());
  }

  @TearDown
  public void removeFile() throws IOException {
    Files.delete(file);
  }

  @Benchmark
  @OperationsPerInvocation(READINGS)
  public double textToReading() throws IOException {
    double sum = 0;
    int readings = 0;
    Pipes noPipes = Pipes.of(InputStream.nullInputStream());
    try (ReadingTextReader reader =
        ReadingTextReader.open(List.of(file.toString()), noPipes, look.form(), Limits.DEFAULT)) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Good good) {
          sum += good.reading().value();
          readings++;
        }
      }
    }
    if (readings != READINGS) {
      throw new IllegalStateException(readings + " readings");
    }
    return sum;
  }
}

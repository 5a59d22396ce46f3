package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random files whose readings are known: if sniff asks nothing but the time zone, it reads exactly
 * these. {@code -Dweir.files=10000} writes more of them, {@code -Dweir.seed=N} begins with another.
 */
class SniffedReadingsTest {
  private static final int FILES = Integer.getInteger("weir.files", 200);
  private static final long SEED = Long.getLong("weir.seed", 1);

  @TempDir private Path directory;

  @Test
  void file_withoutQuestions_isReadExactly() throws Exception {
    int decided = 0;
    Map<String, Integer> questions = new HashMap<>();
    for (long seed = SEED; seed < SEED + FILES; seed++) {
      Sample sample = new Sample(new Random(seed));
      Path file = directory.resolve("f.csv");
      Files.write(file, sample.bytes());
      SniffCommand.Look look = SniffCommand.look(file);
      List<String> asked =
          look.sniffed().undecided().stream().filter(q -> !q.startsWith("the time zone:")).toList();
      asked.forEach(q -> questions.merge(q.split("[:,]")[0], 1, Integer::sum));
      if (!asked.isEmpty()) {
        continue;
      }
      decided++;
      List<String> found = new ArrayList<>();
      look.readings()
          .forEach(r -> found.add(r.sensorId() + " " + r.timestampMs() + " " + r.value()));
      assertThat(found)
          .as("seed %d, read with%s:%n%s", seed, look.sniffed().typed(), sample.text)
          .containsExactlyInAnyOrderElementsOf(sample.known);
    }
    // Questions are no way out: most files leave nothing open.
    assertThat(decided).as("of %d files; %s", FILES, questions).isGreaterThan(FILES / 2);
  }

  /** A file and the readings that are in it. */
  private static final class Sample {
    private static final List<String> DATES =
        List.of(
            "yyyy-MM-dd",
            "dd.MM.yyyy",
            "d.M.yyyy",
            "dd/MM/yyyy",
            "MM/dd/yyyy",
            "M/d/yyyy",
            "dd/MM/yy",
            "yyyy/MM/dd",
            "dd-MMM-yyyy",
            "d MMM yyyy",
            "yyyyMMdd",
            "dd.MM.yy");
    private static final List<String> TIMES =
        List.of(" HH:mm:ss", " HH:mm", " H:mm:ss", " h:mm:ss a", " HH.mm.ss", "'T'HH:mm:ss");
    private static final Map<String, Locale> LANGUAGES =
        Map.of("dd-MMM-yyyy", Locale.ENGLISH, "d MMM yyyy", Locale.GERMAN);
    private static final List<String> NAMES =
        List.of("Vorlauf", "Temp", "Grid (W)", "Flow, raw", "Druck", "P1", "Höhe");

    private final Random random;
    private final StringBuilder text = new StringBuilder();
    private final List<String> known = new ArrayList<>();
    private final Charset charset;
    private final String lineEnd;
    private final char delimiter;
    private final char decimal;
    private final char group;
    private final int decimals;
    private final boolean epoch;
    private final boolean twoColumns;
    private final String date;
    private final String clock;

    Sample(Random random) {
      this.random = random;
      charset =
          of(
              StandardCharsets.UTF_8,
              StandardCharsets.UTF_8,
              Charset.forName("windows-1252"),
              StandardCharsets.UTF_16);
      lineEnd = of("\n", "\r\n", "\r", "\r\r\n");
      delimiter = of(',', ';', '\t', '|');
      decimal = delimiter == ',' ? of('.', '.', ',') : of('.', ',');
      group = of('\0', '\0', '\0', decimal == '.' ? ',' : '.', ' ', '\'');
      decimals = random.nextInt(4);
      epoch = random.nextInt(8) == 0;
      date = DATES.get(random.nextInt(DATES.size()));
      String time = TIMES.get(random.nextInt(TIMES.size()));
      clock = time.startsWith("'T'") && !date.startsWith("yyyy") ? " HH:mm" : time;
      twoColumns = !epoch && !clock.startsWith("'") && random.nextInt(3) == 0;
      write();
    }

    @SafeVarargs
    private <T> T of(T... values) {
      return values[random.nextInt(values.length)];
    }

    private void write() {
      boolean along = random.nextBoolean();
      boolean preamble = random.nextInt(3) == 0;
      boolean padded = random.nextBoolean();
      boolean twice = !along && random.nextInt(4) == 0;
      boolean numbered = random.nextInt(4) == 0;
      int sensors = 2 + random.nextInt(3);
      List<String> names = new ArrayList<>(NAMES);
      Collections.shuffle(names, random);
      List<String> columns = new ArrayList<>();
      if (numbered) {
        columns.add("No");
      }
      columns.addAll(twoColumns ? List.of("Date", "Time") : List.of("Time"));
      int first = columns.size();
      if (along) {
        columns.addAll(List.of("Sensor", "Value"));
      } else {
        columns.addAll(names.subList(0, sensors));
        if (twice) {
          columns.set(columns.size() - 1, columns.get(first));
        }
      }
      if (preamble) {
        row(pad(List.of("Report", "plant 7"), padded ? columns.size() : 2));
        row(pad(List.of("From", "03.02.2026"), padded ? columns.size() : 2));
        row(pad(List.of("", ""), padded ? columns.size() : 2));
      }
      row(columns);
      LocalDateTime at =
          LocalDateTime.of(2026, 1 + random.nextInt(12), 1 + random.nextInt(28), 0, 0)
              .plusMinutes(random.nextInt(1_440));
      int step = of(10, 900, 3_600, 21_600, 86_400);
      step = clock.contains("ss") || epoch ? step : Math.max(step, 900);
      int rows = 3 + random.nextInt(60);
      for (int i = 0; i < rows; i++) {
        String sensor = names.get(i % sensors);
        List<String> cells = new ArrayList<>(time(numbered ? i + 1 : -1, at));
        int values = along ? 1 : sensors;
        if (along) {
          cells.add(sensor);
        }
        for (int v = 0; v < values; v++) {
          boolean empty = !along && v > 0 && random.nextInt(10) == 0;
          String number = number();
          String name = along ? sensor : columns.get(first + v);
          boolean repeated =
              twice && name.equals(columns.get(first)) && (v == 0 || v == sensors - 1);
          String id = repeated ? name + "#" + (first + v + 1) : name;
          cells.add(empty ? "" : written(number));
          if (!empty) {
            known.add(id + " " + millis(at) + " " + Double.parseDouble(number));
          }
        }
        row(cells);
        at = at.plusSeconds(step);
      }
    }

    private static List<String> pad(List<String> cells, int columns) {
      List<String> padded = new ArrayList<>(cells);
      while (padded.size() < columns) {
        padded.add("");
      }
      return padded;
    }

    private List<String> time(int number, LocalDateTime at) {
      List<String> cells = new ArrayList<>();
      if (number > 0) {
        cells.add("" + number);
      }
      Locale locale = LANGUAGES.getOrDefault(date, Locale.ENGLISH);
      if (epoch) {
        cells.add("" + at.toEpochSecond(ZoneOffset.UTC));
      } else if (twoColumns) {
        cells.add(at.format(DateTimeFormatter.ofPattern(date, locale)));
        cells.add(at.format(DateTimeFormatter.ofPattern(clock.strip(), Locale.ENGLISH)));
      } else {
        cells.add(
            at.format(DateTimeFormatter.ofPattern(date, locale))
                + at.format(DateTimeFormatter.ofPattern(clock, Locale.ENGLISH)));
      }
      return cells;
    }

    private long millis(LocalDateTime at) {
      LocalDateTime cut = epoch || clock.contains("ss") ? at : at.withSecond(0);
      return cut.toEpochSecond(ZoneOffset.UTC) * 1_000;
    }

    private String number() {
      double size = of(1.0, 50.0, 1_000.0, 100_000.0);
      double value = (random.nextDouble() - 0.3) * size;
      return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private String written(String number) {
      boolean negative = number.startsWith("-");
      String digits = negative ? number.substring(1) : number;
      int point = digits.indexOf('.');
      String whole = point < 0 ? digits : digits.substring(0, point);
      if (group != 0) {
        whole = whole.replaceAll("(?<=\\d)(?=(\\d{3})+$)", String.valueOf(group));
      }
      return (negative ? of("-", "\u2212") : "")
          + whole
          + (point < 0 ? "" : decimal + digits.substring(point + 1));
    }

    private void row(List<String> cells) {
      List<String> quoted = new ArrayList<>();
      for (String cell : cells) {
        quoted.add(cell.indexOf(delimiter) >= 0 ? '"' + cell + '"' : cell);
      }
      text.append(String.join(String.valueOf(delimiter), quoted)).append(lineEnd);
    }

    byte[] bytes() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      String encodable =
          charset.name().equals("windows-1252")
              ? text.toString().replace('\u2212', '-')
              : "" + text;
      bytes.writeBytes(encodable.getBytes(charset));
      return bytes.toByteArray();
    }
  }
}

package io.weir.cli;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;

/** A random table as loggers and spreadsheets write it, and the readings that are in it. */
final class RandomFile {
  /**
   * A reading of the file.
   *
   * @param sensor texts that its id has to contain
   */
  record Known(List<String> sensor, long millis, double value) {}

  private record Part(String name, Function<LocalDateTime, String> text) {}

  private record Time(
      List<Part> parts, Function<LocalDateTime, Long> millis, int step, boolean zoned) {}

  private static final List<String> DATES =
      List.of(
          "yyyy-MM-dd",
          "yyyy-MM-dd",
          "dd.MM.yyyy",
          "d.M.yyyy",
          "dd/MM/yyyy",
          "MM/dd/yyyy",
          "M/d/yyyy",
          "d/M/yyyy",
          "dd/MM/yy",
          "MM/dd/yy",
          "M/d/yy",
          "yy/MM/dd",
          "dd.MM.yy",
          "dd-MM-yyyy",
          "yyyy/MM/dd",
          "yyyy.MM.dd",
          "dd-MMM-yyyy",
          "d MMM yyyy",
          "MMM d, yyyy",
          "d. MMMM yyyy",
          "EEE dd MMM yyyy",
          "yyyyMMdd");
  private static final List<String> CLOCKS =
      List.of(
          "HH:mm:ss",
          "HH:mm:ss",
          "HH:mm",
          "H:mm",
          "H:mm:ss",
          "h:mm:ss a",
          "hh:mm a",
          "HH.mm.ss",
          "HH.mm",
          "HH:mm:ss.SSS",
          "HH:mm:ss,SSS",
          "HHmm",
          "HHmmss",
          "HH'h'mm");
  private static final List<String> LANGUAGES =
      List.of("en", "de", "fr", "nl", "sv", "pt", "es", "it");
  private static final List<String> NAMES =
      List.of(
          "Vorlauf",
          "Temp (°C)",
          "Grid (W)",
          "Flow, raw",
          "Druck; abs",
          "P1",
          "Höhe",
          "T|x",
          "101",
          "102",
          "0012",
          "0013",
          "TIC-101.PV",
          "a b",
          "Zähler 7",
          "pump/run",
          "10.5 m");
  private static final List<String> STATIONS = List.of("north", "A-1", "Werk 2", "77", "078");
  private static final List<String> MISSING = List.of("NaN", "n/a", "-", "---", "null", "ERR");
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private final Random random;
  private final StringBuilder text = new StringBuilder();
  private final List<Known> known = new ArrayList<>();
  private final Charset charset;
  private final boolean mark;
  private final String lineEnd;
  private final char delimiter;
  private final char decimal;
  private final String group;
  private final boolean quoteAll;
  private final boolean closed;
  private final Time time;

  RandomFile(Random random) {
    this.random = random;
    charset =
        of(
            StandardCharsets.UTF_8,
            StandardCharsets.UTF_8,
            Charset.forName("windows-1252"),
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16LE);
    mark = charset.name().startsWith("UTF-16LE") || random.nextInt(4) == 0;
    lineEnd = of("\n", "\r\n", "\r", "\r\r\n");
    delimiter = of(',', ',', ';', '\t', '|', ' ');
    decimal = delimiter == ',' ? of('.', '.', ',') : of('.', ',');
    String other = decimal == '.' ? "," : delimiter == ',' ? "" : ".";
    String blank = charset.name().startsWith("w") ? "\u00a0" : of("\u00a0", "\u202f");
    group = of("", "", "", "", other, " ", "'", blank, "\u2019");
    quoteAll = delimiter != ' ' && one(5);
    closed = delimiter != ' ' && one(8);
    time = time();
    write();
  }

  List<Known> known() {
    return known;
  }

  boolean zoned() {
    return time.zoned();
  }

  @Override
  public String toString() {
    return text.toString();
  }

  @SafeVarargs
  private <T> T of(T... values) {
    return values[random.nextInt(values.length)];
  }

  private <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private Time time() {
    return switch (random.nextInt(12)) {
      case 0 -> count();
      case 1 -> excel();
      case 2 -> iso();
      case 3 -> hours();
      case 4 -> days();
      default -> dateAndClock();
    };
  }

  private Time count() {
    long perSecond = of(1L, 1_000L, 1_000_000L, 1_000_000_000L);
    boolean fraction = perSecond == 1 && one(3);
    String name = of("Time", "ts", "timestamp", "t");
    return new Time(
        List.of(
            new Part(
                name,
                at ->
                    seconds(at) * perSecond
                        + (fraction ? decimal + "" + (100 + at.getSecond()) : ""))),
        at -> seconds(at) * 1_000 + (fraction ? 100 + at.getSecond() : 0),
        10,
        true);
  }

  private Time excel() {
    return new Time(
        List.of(
            new Part(
                of("Time", "Zeit"),
                at ->
                    BigDecimal.valueOf(seconds(at))
                        .divide(BigDecimal.valueOf(86_400), 10, java.math.RoundingMode.HALF_UP)
                        .add(BigDecimal.valueOf(25_569))
                        .toPlainString()
                        .replace('.', decimal))),
        at -> seconds(at) * 1_000,
        900,
        false);
  }

  private Time iso() {
    String offset = of("", "Z", "+01:00", "+0530", "-05");
    ZoneOffset zone = offset.isEmpty() ? ZoneOffset.UTC : ZoneOffset.of(offset);
    String pattern = of("yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm");
    boolean fraction = pattern.contains("ss") && one(3);
    return new Time(
        List.of(
            new Part(
                of("time", "Timestamp", "_time", "x"),
                at -> text(at, pattern, "en") + (fraction ? ".250" : "") + offset)),
        at -> at.toEpochSecond(zone) * 1_000 + (fraction ? 250 : 0),
        pattern.contains("ss") ? 10 : 60,
        !offset.isEmpty());
  }

  /** Date and hour, from 0 to 23 or from 1 to 24. */
  private Time hours() {
    boolean ending = random.nextBoolean();
    String date = of("yyyy-MM-dd", "dd.MM.yyyy", "MM/dd/yyyy", "yyyyMMdd");
    Function<LocalDateTime, LocalDateTime> day =
        at -> ending && at.getHour() == 0 ? at.minusDays(1) : at;
    return new Time(
        List.of(
            new Part(of("Date", "Fecha", "Datum"), at -> text(day.apply(at), date, "en")),
            new Part(
                of("Hour", "Hora", "HE"),
                at -> "" + (ending && at.getHour() == 0 ? 24 : at.getHour()))),
        at -> seconds(at) * 1_000,
        3_600,
        false);
  }

  private Time days() {
    String date = of(DATES);
    String language = of(LANGUAGES);
    return new Time(
        List.of(new Part(of("Date", "Tag", "day"), at -> text(at, date, language))),
        at -> seconds(at.toLocalDate().atStartOfDay()) * 1_000,
        86_400,
        false);
  }

  private Time dateAndClock() {
    String date = of(DATES);
    String clock = of(CLOCKS);
    String language = of(LANGUAGES);
    String word = one(6) ? of("UTC", "CET", "EST", "CEST", "GMT+1", "PDT") : "";
    int offset = List.of("", "UTC", "CET", "CEST", "GMT+1", "EST", "PDT").indexOf(word);
    ZoneOffset zone = ZoneOffset.ofHours(new int[] {0, 0, 1, 2, 1, -5, -7}[offset]);
    Function<LocalDateTime, String> day = at -> text(at, date, language);
    String half = of("AM PM", "am pm", "a p", "a.m. p.m.");
    Function<LocalDateTime, String> hour =
        at ->
            text(at, clock, "en")
                .replace("AM", half.split(" ")[0])
                .replace("PM", half.split(" ")[1]);
    List<Part> parts = new ArrayList<>();
    boolean two = random.nextBoolean();
    String gap = of(" ", " ", ", ", "  ");
    if (two || clock.matches("HHmm(ss)?")) {
      parts.add(new Part(of("Date", "Datum", "Day", "d"), day));
      parts.add(new Part(of("Time", "Zeit", "Uhrzeit"), hour));
      if (one(4)) {
        Collections.swap(parts, 0, 1);
      }
      if (!word.isEmpty()) {
        parts.add(new Part(of("TZ", "zone"), at -> word));
      }
    } else {
      parts.add(
          new Part(
              of("Time", "Date/Time", "Zeitstempel", "DateTime", "q1"),
              at -> day.apply(at) + gap + hour.apply(at) + (word.isEmpty() ? "" : " " + word)));
    }
    boolean seconds = clock.contains("s");
    int millis = clock.contains("S") ? 125 : 0;
    return new Time(
        parts,
        at -> (seconds ? at : at.withSecond(0)).toEpochSecond(zone) * 1_000 + millis,
        seconds ? 10 : 60,
        !word.isEmpty());
  }

  private static long seconds(LocalDateTime at) {
    return Duration.between(EPOCH, at).toSeconds();
  }

  private static String text(LocalDateTime at, String pattern, String language) {
    LocalDateTime shown = pattern.contains("S") ? at.withNano(125_000_000) : at;
    return shown.format(DateTimeFormatter.ofPattern(pattern, Locale.forLanguageTag(language)));
  }

  private void write() {
    List<String> names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    int sensors = 1 + random.nextInt(4);
    names = new ArrayList<>(names.subList(0, sensors));
    boolean header = !one(12);
    boolean along = random.nextInt(3) == 0;
    boolean stations = one(5);
    boolean numbered = one(5);
    boolean remark = one(8);
    boolean unit = along && one(5);
    boolean quality = along && one(5);
    boolean hollow = one(10);
    boolean until = one(12);
    boolean twice = !along && header && sensors > 2 && one(5);
    List<String> columns = new ArrayList<>();
    if (numbered) {
      columns.add(of("No", "#", "id", "Row"));
    }
    time.parts().forEach(part -> columns.add(part.name()));
    if (until) {
      columns.add(of("End", "Until"));
    }
    if (stations) {
      columns.add(of("Station", "Site", "location", "device_id"));
    }
    if (hollow) {
      columns.add("Spare");
    }
    int first = columns.size();
    if (along) {
      columns.add(of("Sensor", "Tag", "sensor_id", "Name", "Messstelle"));
      columns.add(of("Value", "Wert", "val", "reading"));
    } else {
      if (twice) {
        names.set(2, names.get(0));
      }
      columns.addAll(names);
    }
    if (unit) {
      columns.add("Unit");
    }
    if (quality) {
      columns.add("Quality");
    }
    if (remark) {
      columns.add(of("Remark", "Note"));
    }
    if (delimiter == ',' && one(20)) {
      text.append("sep=,").append(lineEnd);
    }
    preamble(columns.size());
    if (header) {
      row(columns);
      if (one(10)) {
        row(columns.stream().map(c -> columns.indexOf(c) < first ? "" : "kW").toList());
      }
    }
    int[] decimals = new int[sensors];
    double[] sizes = new double[sensors];
    boolean uniform = random.nextBoolean();
    for (int s = 0; s < sensors; s++) {
      decimals[s] = uniform && s > 0 ? decimals[0] : random.nextInt(4);
      sizes[s] = of(1.0, 50.0, 1_000.0, 100_000.0, 3e6);
    }
    boolean zeros = one(3);
    LocalDateTime at =
        LocalDateTime.of(2026, 1 + random.nextInt(12), 1 + random.nextInt(28), 0, 0)
            .plusMinutes(time.step() < 3_600 ? random.nextInt(1_440) : 0);
    int step = Math.max(time.step(), of(10, 60, 900, 3_600, 21_600, 86_400));
    int direction = one(5) ? -1 : 1;
    int rows = one(10) ? 1 + random.nextInt(3) : 3 + random.nextInt(40);
    String missing = of(MISSING);
    boolean holes = one(3);
    int station = random.nextInt(STATIONS.size());
    for (int i = 0; i < rows; i++) {
      List<String> cells = new ArrayList<>();
      if (numbered) {
        cells.add("" + (i + 1));
      }
      LocalDateTime now = at;
      time.parts().forEach(part -> cells.add(part.text().apply(now)));
      if (until) {
        cells.add(time.parts().get(0).text().apply(now.plusSeconds(step)));
      }
      String site = STATIONS.get((station + i % 2) % STATIONS.size());
      if (stations) {
        cells.add(site);
      }
      if (hollow) {
        cells.add("");
      }
      int sensor = i / (stations ? 2 : 1) % sensors;
      if (along) {
        cells.add(names.get(sensor));
      }
      for (int v = 0; v < (along ? 1 : sensors); v++) {
        int s = along ? sensor : v;
        boolean hole = holes && i > 0 && one(8);
        String number = zeros && one(3) ? number(0, decimals[s]) : number(sizes[s], decimals[s]);
        cells.add(hole ? along || one(2) || delimiter == ' ' ? missing : "" : written(number));
        if (!hole) {
          List<String> id = new ArrayList<>();
          if (stations) {
            id.add(site);
          }
          String name = header || along ? names.get(s) : "" + (first + v + 1);
          boolean repeated = twice && Collections.frequency(names, names.get(s)) > 1;
          id.add(repeated ? name + "#" + (first + v + 1) : name);
          known.add(new Known(id, time.millis().apply(now), Double.parseDouble(number)));
        }
      }
      if (unit) {
        cells.add(List.of("kW", "bar", "m", "s").get(sensor));
      }
      if (quality) {
        cells.add(one(5) ? "BAD" : "GOOD");
      }
      if (remark) {
        cells.add(one(4) ? of("checked", "replaced") : delimiter == ' ' ? "ok" : "");
      }
      row(cells);
      boolean next = !stations || i % 2 == 1 || !along;
      at = next ? at.plusSeconds((long) direction * step) : at;
    }
    if (one(12)) {
      row(List.of("Total", "", "99"));
    }
  }

  private void preamble(int columns) {
    if (!one(3)) {
      return;
    }
    int kind = random.nextInt(4);
    if (kind == 0) {
      text.append("# exported by a logger").append(lineEnd).append("#").append(lineEnd);
      return;
    }
    int width = kind == 1 ? columns : 2;
    row(padded(List.of("Report", "plant 7"), width));
    row(padded(List.of("From", "03.02.2026"), width));
    if (kind == 2) {
      row(padded(List.of("Serial number", "12345"), width));
    }
    row(kind == 3 ? List.of() : padded(List.of("", ""), width));
  }

  private static List<String> padded(List<String> cells, int columns) {
    List<String> padded = new ArrayList<>(cells);
    while (padded.size() < columns) {
      padded.add("");
    }
    return padded;
  }

  private String number(double size, int decimals) {
    double value = (random.nextDouble() - 0.3) * size;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private String written(String number) {
    boolean negative = number.startsWith("-");
    String digits = negative ? number.substring(1) : number;
    int point = digits.indexOf('.');
    String whole = point < 0 ? digits : digits.substring(0, point);
    String sign = negative ? of("-", charset.name().startsWith("w") ? "-" : "\u2212") : "";
    return sign
        + whole.replaceAll("(?<=\\d)(?=(\\d{3})+$)", group)
        + (point < 0 ? "" : decimal + digits.substring(point + 1));
  }

  private void row(List<String> cells) {
    List<String> quoted = new ArrayList<>();
    for (String cell : cells) {
      boolean blank =
          delimiter == ' ' && (cell.isEmpty() || cell.matches("(?s).*[\\s\u00a0\u202f].*"));
      boolean quotes = quoteAll || cell.indexOf(delimiter) >= 0 || blank;
      quoted.add(quotes ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
    String between = delimiter == ' ' ? of(" ", "   ") : String.valueOf(delimiter);
    text.append(String.join(between, quoted)).append(closed ? between : "").append(lineEnd);
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean marked = mark && !charset.name().matches("windows-1252|UTF-16");
    bytes.writeBytes(((marked ? "\ufeff" : "") + text).getBytes(charset));
    return bytes.toByteArray();
  }
}

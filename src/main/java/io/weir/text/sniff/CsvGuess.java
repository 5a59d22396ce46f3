package io.weir.text.sniff;

import io.weir.text.mapping.OptionList;
import io.weir.text.mapping.QualityMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Takes the sample for a table: which column is what, by its texts first and its name second. */
final class CsvGuess {
  private static final Set<String> SENSOR_NAMES =
      Set.of(
          "sensorid",
          "sensor",
          "tag",
          "tagname",
          "tagid",
          "name",
          "id",
          "device",
          "deviceid",
          "point",
          "pointname",
          "item",
          "itemid",
          "channel",
          "kanal",
          "messstelle",
          "signal",
          "anlage",
          "capteur",
          "station",
          "variable",
          "metric",
          "series",
          "varname");
  private static final Set<String> VALUE_NAMES =
      Set.of(
          "value",
          "val",
          "v",
          "wert",
          "messwert",
          "reading",
          "mesure",
          "valeur",
          "valor",
          "measurement",
          "pv",
          "istwert",
          "varvalue");
  private static final Set<String> QUALITY_NAMES =
      Set.of(
          "quality",
          "status",
          "state",
          "q",
          "qual",
          "qualität",
          "opcquality",
          "état",
          "etat",
          "validity",
          "flag",
          "güte");
  private static final int FEW = 12;
  private static final int MAX_SHOWN = 6;

  private final Sniffed sniffed;
  private final List<String> lines;
  private Fields.Delimiter delimiter;
  private char decimal = '.';
  private List<Column> columns = List.of();
  private boolean header;

  CsvGuess(Sniffed sniffed, List<String> lines) {
    this.sniffed = sniffed;
    this.lines = lines;
  }

  /** Fills the options; false where it is no table. */
  boolean guess() {
    boolean separatorLine = lines.get(0).matches("sep=.");
    List<String> rows = lines.subList(separatorLine ? 1 : 0, lines.size());
    delimiter = Fields.delimiter(rows);
    if (delimiter.columns() < 2) {
      return false;
    }
    int first = 0;
    while (Fields.split(rows.get(first), delimiter.character()).size() != delimiter.columns()) {
      first++;
    }
    if (first > 0) {
      sniffed.option("skip-lines", Integer.toString(first + (separatorLine ? 1 : 0)));
    }
    List<List<String>> records =
        rows.subList(first, rows.size()).stream()
            .map(row -> Fields.split(row, delimiter.character()))
            .filter(fields -> fields.size() == delimiter.columns())
            .toList();
    decimal = decimal(records);
    Optional<List<Column>> time = time(records);
    if (time.isEmpty()) {
      sniffed.leaveOpen("which column is the time: none has times of a form known here");
      return false;
    }
    sayForm(first + (separatorLine ? 1 : 0));
    parts(time.get());
    return true;
  }

  private void sayForm(int skipped) {
    if (delimiter.character() != ',') {
      sniffed.option("delimiter", delimiter.typed());
    }
    if (decimal == ',') {
      sniffed.option("decimal-comma", "true");
    }
    if (!header) {
      sniffed.option("no-header", "true");
    }
    sniffed.say(
        "a table of %d columns, delimiter %s, decimal %s, %s"
            .formatted(
                delimiter.columns(),
                delimiter.typed(),
                decimal == ',' ? "comma" : "point",
                header ? "header in line " + (skipped + 1) : "no header"));
  }

  /** The sign with which more texts are numbers; the point where it makes no difference. */
  private char decimal(List<List<String>> records) {
    long point = 0;
    long comma = 0;
    for (Column column : columns(records, true)) {
      point += column.numbers('.', ",");
      comma += column.numbers(',', "[. \u00a0\u202f]");
    }
    return comma > point ? ',' : '.';
  }

  private List<Column> columns(List<List<String>> records, boolean skipFirst) {
    List<Column> found = new ArrayList<>();
    for (int place = 0; place < delimiter.columns(); place++) {
      List<String> texts = new ArrayList<>();
      for (List<String> row : records.subList(skipFirst ? 1 : 0, records.size())) {
        if (!row.get(place).isEmpty()) {
          texts.add(row.get(place));
        }
      }
      String name = skipFirst ? records.get(0).get(place) : "";
      found.add(new Column(place, name, texts));
    }
    return found;
  }

  /** The column of the time, or those of date and time of day. */
  private Optional<List<Column>> time(List<List<String>> records) {
    List<Column> below = columns(records, true);
    for (Column column : below) {
      Optional<TimeGuess> guess = TimeGuess.of(column.texts(), decimal);
      if (guess.isEmpty()) {
        continue;
      }
      header = TimeGuess.of(List.of(records.get(0).get(column.place())), decimal).isEmpty();
      columns = header ? below : columns(records, false);
      List<Column> joined = withTimeOfDay(column, guess.get());
      describeTime(joined.size() > 1 ? joinedGuess(joined) : guess.get());
      return Optional.of(joined.stream().map(part -> columns.get(part.place())).toList());
    }
    return Optional.empty();
  }

  /** A date alone with a time of day in a column beside it. */
  private List<Column> withTimeOfDay(Column date, TimeGuess guess) {
    boolean alone =
        guess.format().matches("[^Hh]*") && date.texts().stream().noneMatch(t -> t.contains(":"));
    if (alone && !guess.zoned()) {
      for (Column column : columns) {
        boolean times =
            !column.texts().isEmpty()
                && column.texts().stream()
                    .allMatch(text -> text.matches("\\d{1,2}:\\d\\d(:\\d\\d)?([.,]\\d+)?"));
        if (times) {
          return List.of(date, column);
        }
      }
    }
    return List.of(date);
  }

  private TimeGuess joinedGuess(List<Column> parts) {
    List<String> joined = new ArrayList<>();
    int rows = Math.min(parts.get(0).texts().size(), parts.get(1).texts().size());
    for (int i = 0; i < rows; i++) {
      joined.add(parts.get(0).texts().get(i) + " " + parts.get(1).texts().get(i));
    }
    return TimeGuess.of(joined, decimal).orElse(new TimeGuess("iso", List.of(), false));
  }

  private void describeTime(TimeGuess guess) {
    if (!guess.format().equals("epoch-ms")) {
      sniffed.option("time-format", guess.format());
    }
    if (!guess.others().isEmpty()) {
      sniffed.leaveOpen(
          "the order of day and month: taken as %s, and %s fits as well"
              .formatted(guess.format(), String.join(", ", guess.others())));
    }
    if (!guess.zoned()) {
      sniffed.leaveOpen(
          "the time zone: the times name none and are taken as UTC; if they are local times, add"
              + " for example --time-zone Europe/Berlin");
    }
    sniffed.say("times: " + guess.format());
  }

  private void parts(List<Column> time) {
    List<Column> rest = new ArrayList<>(columns);
    rest.removeAll(time);
    Optional<Column> quality = rest.stream().filter(c -> c.isNamed(QUALITY_NAMES)).findFirst();
    quality.ifPresent(rest::remove);
    List<Column> numeric =
        rest.stream().filter(c -> isNumber(c) && !c.isNamed(SENSOR_NAMES)).toList();
    List<Column> texts =
        rest.stream()
            .filter(c -> !numeric.contains(c) && !c.texts().isEmpty())
            .filter(c -> c.isNamed(SENSOR_NAMES) || c.distinct() < Math.max(2, c.texts().size()))
            .toList();
    Optional<Column> sensor =
        texts.stream()
            .filter(c -> c.isNamed(SENSOR_NAMES))
            .findFirst()
            .or(() -> texts.stream().findFirst());
    Optional<Column> value =
        numeric.stream()
            .filter(c -> c.isNamed(VALUE_NAMES))
            .findFirst()
            .or(() -> numeric.size() == 1 ? Optional.of(numeric.get(0)) : Optional.empty());
    if (sensor.isPresent() && value.isPresent()) {
      describeLong(time, sensor.get(), value.get(), quality);
    } else {
      describeWide(time, sensor, numeric, quality);
    }
    describeNumbers(numeric);
    quality.ifPresent(this::describeQuality);
  }

  private boolean isNumber(Column column) {
    return column.isNumeric(decimal) || column.isGrouped(decimal, groups());
  }

  private String groups() {
    return decimal == ',' ? "[. \u00a0\u202f]" : "[,' \u00a0\u202f]";
  }

  private void describeLong(
      List<Column> time, Column sensor, Column value, Optional<Column> quality) {
    boolean plain =
        sensor.name().equals("sensor_id")
            && time.size() == 1
            && time.get(0).name().matches("timestamp(_ms)?|time")
            && value.name().equals("value")
            && quality.map(c -> c.name().equals("quality")).orElse(true);
    List<String> parts = new ArrayList<>();
    parts.add("sensor_id=" + OptionList.quote(sensor.reference()));
    parts.add("timestamp=" + reference(time));
    parts.add("value=" + OptionList.quote(value.reference()));
    quality.ifPresent(column -> parts.add("quality=" + OptionList.quote(column.reference())));
    String typed = String.join(",", parts);
    if (!plain) {
      sniffed.option("columns", typed);
    }
    sniffed.say("a reading a line: " + typed);
  }

  private static String reference(List<Column> time) {
    return String.join(
        "+", time.stream().map(column -> OptionList.quote(column.reference())).toList());
  }

  private void describeWide(
      List<Column> time, Optional<Column> sensor, List<Column> numeric, Optional<Column> quality) {
    sniffed.option("wide", "true");
    List<String> parts = new ArrayList<>();
    if (time.size() > 1 || time.get(0).place() > 0) {
      parts.add("timestamp=" + reference(time));
    }
    int others = columns.size() - time.size() - (sensor.isPresent() ? 1 : 0);
    if (numeric.isEmpty()) {
      sniffed.leaveOpen("which column is the value: none has numbers");
    } else if (numeric.size() < others) {
      parts.add(
          "value="
              + String.join(
                  "+", numeric.stream().map(c -> OptionList.quote(c.reference())).toList()));
    }
    quality.ifPresent(column -> parts.add("quality=" + OptionList.quote(column.reference())));
    if (!parts.isEmpty()) {
      sniffed.option("columns", String.join(",", parts));
    }
    sensor.ifPresent(
        column -> sniffed.option("sensor-id", "{column:" + column.reference() + "}/{column}"));
    if (sensor.isEmpty() && numeric.size() == 1) {
      sniffed.option("sensor-id", "{file}/{column}");
    }
    sniffed.say(numeric.size() + " columns with a value each");
  }

  private void describeNumbers(List<Column> numeric) {
    Set<String> missing = new TreeSet<>();
    for (Column column : numeric) {
      column.texts().stream().filter(Column::isMissing).forEach(missing::add);
      boolean grouped = !column.isNumeric(decimal) || column.isGrouped(decimal, groups());
      if (grouped && column.isGrouped(decimal, groups())) {
        String text =
            column.texts().stream()
                .filter(t -> t.matches(".*\\d[., '\u00a0\u202f]\\d{3}.*"))
                .findFirst()
                .orElse("");
        String group =
            decimal == ',' && text.contains(".")
                ? "."
                : text.contains(",") && decimal == '.' ? "," : text.contains("'") ? "'" : "space";
        sniffed.option("group-separator", group);
      }
    }
    if (!missing.isEmpty()) {
      sniffed.option("missing", String.join(",", missing.stream().map(OptionList::quote).toList()));
    }
  }

  private void describeQuality(Column quality) {
    Set<String> texts = new TreeSet<>(quality.texts());
    boolean opc =
        2 * texts.stream().filter(text -> text.matches("\\d{1,3}")).count() >= texts.size()
            && texts.stream().anyMatch(text -> text.matches("64|68|80|84|88|192|216"));
    boolean own =
        texts.stream()
            .allMatch(text -> text.matches("(QUALITY_)?(GOOD|UNCERTAIN|BAD|UNSPECIFIED)|[0-3]"));
    if (opc) {
      sniffed.option("quality-map", "opc");
      sniffed.say("qualities: OPC's numbers");
    } else if (!own) {
      List<String> unknown = texts.stream().filter(text -> !QualityMap.isWord(text)).toList();
      boolean some = unknown.size() < texts.size();
      String others = unknown.isEmpty() ? "" : (some ? "," : "") + "*=uncertain";
      sniffed.option("quality-map", (some ? "words" : "") + others);
      if (!unknown.isEmpty()) {
        sniffed.leaveOpen(
            "what these qualities mean: %s; now uncertain, say better: --quality-map %s=good,..."
                .formatted(
                    String.join(", ", unknown.subList(0, Math.min(MAX_SHOWN, unknown.size()))),
                    OptionList.quote(unknown.get(0).toLowerCase(Locale.ROOT))));
      }
    }
    if (quality.distinct() > FEW) {
      sniffed.leaveOpen("whether " + quality.reference() + " is a quality at all");
    }
  }
}

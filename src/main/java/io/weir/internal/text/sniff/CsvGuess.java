package io.weir.internal.text.sniff;

import io.weir.internal.text.Cells;
import io.weir.internal.text.FileSample;
import io.weir.internal.text.mapping.OptionList;
import io.weir.internal.text.mapping.QualityMap;
import io.weir.internal.text.mapping.ZoneWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Takes the sample for a table: which column is what, by its texts first and its name second. */
final class CsvGuess {
  private static final Set<String> SENSOR_NAMES =
      words(
          "sensorid sensor tag tagname tagid name id device deviceid point pointname item itemid"
              + " channel kanal messstelle signal anlage capteur station variable metric series"
              + " varname entityid statisticid tags host measurement field register ean cups mpan"
              + " mprn pod meter meterid zähler zaehler nmi site siteno siteid node nodeid unitid"
              + " location key stationid stationsid stn machine maschine asset serial serialnumber"
              + " mac topic");
  private static final Set<String> VALUE_NAMES =
      words(
          "value val v wert messwert reading mesure valeur valor istwert varvalue mean state"
              + " consumokwh verbrauch");
  private static final Set<String> QUALITY_NAMES =
      words("quality q qual qualität opcquality validity güte status state flag état etat");

  /** Of these the texts have to show it, too. */
  private static final Set<String> MAYBE_QUALITY = words("status state flag état etat q");

  private static final Set<String> REMARK_NAMES =
      words(
          "unit units einheit unité unidad eenheid notes note comment comments remark remarks"
              + " bemerkung kommentar currency datatype table");
  private static final String UNITS = "units?|einheit|unité|unidad|eenheid";
  private static final Set<String> TIME_NAMES =
      words("time timestamp ts datetime timestampms utctime timeutc zeit zeitstempel");

  /** Of numbers that may be times. */
  private static final String TIMES =
      ".*(time|date|zeit|datum|stamp|epoch|unix|tid|heure|hora|fecha|data|utc|created).*|ts?|_?x";

  private static final Pattern OFFSET =
      Pattern.compile(
          "\\b(?:UTC|GMT)(?:\\s*([+-])(\\d{1,2})(?::?(\\d\\d))?)?\\b|\\b(?:utc|gmt)\\b");
  private static final Pattern ZONE_WORD = Pattern.compile("\\d ?([A-Z]{3,5})\\b");
  private static final String YEAR_AND_DAY =
      "(?i).*\\b(year|yy+|jahr|année|año)\\b.*\\b(day|dd|doy|tag|jour|día)\\b.*";
  private static final int FEW = 12;
  private static final int MAX_SHOWN = 6;
  private static final int MAX_HEADERS = 3;
  private static final int HOURS = 23;
  private static final Map<String, Integer> PREFIXES =
      Map.of("k", 3, "M", 6, "G", 9, "m", -3, "µ", -6, "μ", -6);

  private final Sniffed sniffed;
  private final List<String> lines;
  private final boolean whole;
  private Fields.Delimiter delimiter;
  private List<Column> columns = List.of();
  private List<Column> time = List.of();

  /** Columns of times that are not read. */
  private final List<Column> left = new ArrayList<>();

  private TimeGuess form;
  private int names;

  CsvGuess(Sniffed sniffed, FileSample sample) {
    this.sniffed = sniffed;
    this.lines = sample.lines();
    this.whole = sample.whole();
  }

  private static Set<String> words(String list) {
    return Set.of(list.split(" +"));
  }

  /** Fills the options; false where it is no table. */
  boolean guess() {
    boolean separatorLine = lines.get(0).matches("sep=.");
    List<String> rows = lines.subList(separatorLine ? 1 : 0, lines.size());
    delimiter = Fields.delimiter(rows);
    if (!hasTime(rows)) {
      delimiter = Fields.blanks(rows); // Decimal commas can divide all lines alike.
    }
    if (!hasTime(rows)) {
      sayNoTime(rows);
      return false;
    }
    List<List<String>> records = rows.stream().map(delimiter::record).toList();
    int[] firsts = firsts(records);
    int first = Arrays.stream(firsts).filter(row -> row >= 0).min().getAsInt();
    int header = header(rows, first, Arrays.stream(firsts).boxed().toList().indexOf(first));
    List<String> names =
        header < 0 ? List.of() : Cells.texts(rows.get(header), delimiter.character());
    this.names = names.size();
    columns = columns(names, records.subList(first, records.size()));
    int skipped = header < 0 ? first : header;
    boolean before = rows.subList(0, skipped).stream().anyMatch(row -> !row.isBlank());
    if (before) {
      sniffed.option("skip-lines", Integer.toString(skipped + (separatorLine ? 1 : 0)));
    }
    if (rows.get(skipped).matches("\\s*[\\[{].*")) {
      sniffed.option("format", "csv");
    }
    if (!findTime()) {
      sayNoTime(rows);
      return false;
    }
    // Totals, units and further headers among the records say nothing about their columns.
    int clock = time.get(0).place();
    columns =
        columns(
            names,
            records.subList(first, records.size()).stream()
                .filter(record -> !record.isEmpty() && isTime(record.get(clock)))
                .toList());
    findTime();
    describeTime();
    askForHeader(rows, header, first);
    askForTables(rows, header);
    String head = "header in line " + (header + (separatorLine ? 2 : 1));
    sniffed.say(
        "a table of %d columns, delimiter %s, %s"
            .formatted(delimiter.columns(), delimiter.typed(), header < 0 ? "no header" : head));
    if (delimiter.character() != ',') {
      sniffed.option("delimiter", delimiter.typed());
    }
    if (header < 0) {
      sniffed.option("no-header", "true");
    }
    boolean bareHour = time.size() == 1 && form.format().matches(".* H+");
    boolean divided = bareHour || columns.stream().anyMatch(this::isDivided);
    if (delimiter.character() == ',' && divided) {
      sniffed.leaveOpen("the delimiter: taken as comma, and blanks divide some columns");
    }
    parts();
    return true;
  }

  private boolean hasTime(List<String> rows) {
    return delimiter.columns() > 1
        && Arrays.stream(firsts(rows.stream().map(delimiter::record).toList()))
            .anyMatch(row -> row >= 0);
  }

  private int[] firsts(List<List<String>> records) {
    return IntStream.range(0, delimiter.columns()).map(place -> firstOf(records, place)).toArray();
  }

  private void sayNoTime(List<String> rows) {
    sniffed.leaveOpen("which column is the time: none has times of a form known here");
    rows.stream()
        .flatMap(row -> ZONE_WORD.matcher(row).results())
        .map(word -> word.group(1))
        .filter(word -> ZoneWords.isKnown(word))
        .findFirst()
        .ifPresent(
            word -> sniffed.leaveOpen("the time zone that " + word + " means: --time-zone ZONE"));
    if (rows.stream().anyMatch(row -> row.matches(YEAR_AND_DAY))) {
      sniffed.leaveOpen(
          "the time: year and day are in columns of their own; join them, such as"
              + " --columns timestamp=1+2+3+4 --time-format 'yyyy M d H'");
    }
  }

  /** The first record whose cell in that column is a time, as those of the next two are. */
  private static int firstOf(List<List<String>> records, int place) {
    List<Integer> times =
        IntStream.range(0, records.size())
            .filter(row -> !records.get(row).isEmpty())
            .filter(row -> isTime(records.get(row).get(place)))
            .boxed()
            .toList();
    for (int row : times) {
      long next = times.stream().filter(other -> other > row && other <= row + 2).count();
      long left =
          IntStream.range(row, records.size()).filter(i -> !records.get(i).isEmpty()).count();
      long rest = times.stream().filter(other -> other >= row).count();
      boolean few = left <= 3 || (row == 0 && hasNumber(records.get(0), place));
      if (next >= Math.min(few ? 1 : 2, left - 1) && 2 * rest >= left) {
        return row;
      }
    }
    return -1;
  }

  private static boolean hasNumber(List<String> record, int time) {
    return IntStream.range(0, record.size())
        .anyMatch(place -> place != time && NumberGuess.isNumber(record.get(place)));
  }

  private static boolean isTime(String text) {
    return TimeGuess.maybe(text) || text.matches("[3-5]\\d{4}[.,]\\d{3,}");
  }

  /**
   * The row of names above the first record, which has one for the time; -1 where there is none. A
   * row of units may be between them.
   */
  private int header(List<String> rows, int first, int clock) {
    int found = -1;
    int seen = 0;
    for (int row = first - 1; row >= 0 && seen < MAX_HEADERS; row--) {
      if (isLine(rows.get(row))) {
        continue;
      }
      List<String> names = Cells.texts(rows.get(row), delimiter.character());
      long filled = names.stream().filter(name -> !name.isEmpty()).count();
      boolean ofComment = names.size() > delimiter.columns() && names.get(0).equals("#");
      if (names.size() < delimiter.columns()
          || ofComment
          || filled == 0
          || names.stream().anyMatch(TimeGuess::maybe)) {
        break;
      }
      boolean ofTime = !names.get(clock).isEmpty();
      if (filled > 1 && (found < 0 || (ofTime && isOfUnits(rows.get(found), clock)))) {
        found = row;
      }
      seen++;
    }
    return found;
  }

  /** Another line may have the names: the one above, or any where none has. */
  private void askForHeader(List<String> rows, int header, int first) {
    OptionalInt other =
        IntStream.range(header < 0 ? 0 : Math.max(0, header - 1), header < 0 ? first : header)
            .filter(row -> mayBeNames(Cells.texts(rows.get(row), delimiter.character())))
            .findFirst();
    other.ifPresent(
        row ->
            sniffed.leaveOpen(
                "the names of the columns: another line may have them, --skip-lines %d: %s"
                    .formatted(row + lines.size() - rows.size(), rows.get(row).strip())));
    String above =
        rows.subList(0, first).stream().filter(row -> !isLine(row)).reduce("", (a, b) -> b);
    List<String> cells = Cells.texts(above, delimiter.character());
    boolean names = cells.size() != 1 && cells.stream().noneMatch(NumberGuess::isNumber);
    if (header < 0 && other.isEmpty() && names) {
      sniffed.leaveOpen(
          "the names of the columns: not one for each of the %d columns, or over several lines: %s"
              .formatted(delimiter.columns(), above.strip()));
    }
  }

  /** The same names again, below a line that is no record. */
  private void askForTables(List<String> rows, int header) {
    IntStream.range(Math.max(1, header + 1), rows.size())
        .filter(row -> header >= 0 && rows.get(row).equals(rows.get(header)))
        .mapToObj(row -> rows.get(row - 1).strip())
        .filter(above -> !above.isEmpty() && delimiter.record(above).isEmpty())
        .findFirst()
        .ifPresent(
            above ->
                sniffed.leaveOpen(
                    "the sensor: several tables, the next below %s, are read as one"
                        .formatted(above)));
  }

  private static boolean isLine(String row) {
    return row.matches("[-+=|\\s]*");
  }

  private boolean mayBeNames(List<String> cells) {
    return cells.size() == delimiter.columns()
        && columns.stream()
            .filter(column -> !time.contains(column))
            .map(column -> cells.get(column.place()))
            .noneMatch(cell -> cell.isEmpty() || NumberGuess.isNumber(cell));
  }

  private boolean isOfUnits(String row, int clock) {
    List<String> cells = Cells.texts(row, delimiter.character());
    return cells.get(clock).matches("|TS|\\W?[dMy]+\\W.*(yy|HH|hh).*")
        || cells.stream().allMatch(cell -> cell.matches("\\d+\\p{L}"));
  }

  private List<Column> columns(List<String> names, List<List<String>> records) {
    List<List<String>> whole = records.stream().filter(record -> !record.isEmpty()).toList();
    List<Column> found = new ArrayList<>();
    for (int i = 0; i < delimiter.columns(); i++) {
      int place = i;
      String name = names.isEmpty() ? "" : names.get(place);
      boolean unique =
          !name.isEmpty() && names.stream().filter(name::equalsIgnoreCase).count() == 1;
      found.add(
          new Column(place, name, whole.stream().map(row -> row.get(place)).toList(), unique));
    }
    return found;
  }

  /** The column of the time, or those of date, time of day and zone. */
  private boolean findTime() {
    List<Column> times = columns.stream().filter(Column::isTime).toList();
    if (times.isEmpty()) {
      times =
          columns.stream()
              .filter(
                  c ->
                      TimeGuess.of(c.texts(), '.')
                          .or(() -> TimeGuess.of(c.texts(), ','))
                          .isPresent())
              .limit(1)
              .toList();
    }
    if (times.isEmpty()) {
      return false;
    }
    List<Column> days = times.stream().filter(c -> !c.isClock() || !c.isTimeOfDay()).toList();
    List<Column> likely = days.isEmpty() ? times : days;
    Column best =
        likely.stream().filter(c -> c.isNamed(TIME_NAMES)).findFirst().orElse(likely.get(0));
    List<Column> parts = new ArrayList<>(List.of(best));
    form = guess(parts);
    List<Column> clocks = columns.stream().filter(c -> c != best && c.isTimeOfDay()).toList();
    if (!form.hasHours(best.texts())) {
      Comparator<Column> nearest =
          Comparator.comparingInt(c -> c.place() < best.place() ? 1_000 - c.place() : c.place());
      clocks.stream().min(nearest).filter(c -> tryJoin(parts, c)).ifPresent(parts::add);
    }
    columns.stream()
        .filter(c -> c.isZone() && !form.zoned() && tryJoin(parts, c))
        .findFirst()
        .ifPresent(parts::add);
    time = List.copyOf(parts);
    left.clear();
    left.addAll(times);
    columns.stream()
        .filter(c -> !isLeft(c))
        .filter(c -> clocks.contains(c) || isNearTime(c) || c.isPartOfTime())
        .forEach(left::add);
    left.removeAll(parts);
    return true;
  }

  /** Days of a spreadsheet as those of the time, or digits that may be the time of a day. */
  private boolean isNearTime(Column column) {
    List<String> texts = column.texts();
    if (time.contains(column)) {
      return false;
    }
    boolean named = column.name().toLowerCase(Locale.ROOT).matches(TIMES);
    if ((named || form.format().equals("excel"))
        && TimeGuess.of(texts, '.').or(() -> TimeGuess.of(texts, ',')).isPresent()) {
      return true;
    }
    Set<String> shapes = shapes(texts);
    boolean asClock = time.stream().skip(1).anyMatch(part -> shapes(part.texts()).equals(shapes));
    boolean digits = names == 0 && !form.hasHours(joined(time)) && shapes.size() == 1;
    return (asClock || digits)
        && !texts.isEmpty()
        && texts.stream().allMatch(t -> t.matches("([01]\\d|2[0-4])\\D?[0-5]\\d(\\D?[0-5]\\d)?"));
  }

  private static Set<String> shapes(List<String> texts) {
    return texts.stream().map(text -> text.replaceAll("\\d", "0")).collect(Collectors.toSet());
  }

  private boolean tryJoin(List<Column> parts, Column more) {
    List<Column> joined = new ArrayList<>(parts);
    joined.add(more);
    List<String> texts = joined(joined);
    return TimeGuess.of(texts, '.').filter(guess -> guess.hasHours(texts)).isPresent();
  }

  private TimeGuess guess(List<Column> parts) {
    List<String> texts = joined(parts);
    return TimeGuess.of(texts, '.').or(() -> TimeGuess.of(texts, ',')).orElseThrow();
  }

  private static List<String> joined(List<Column> parts) {
    return IntStream.range(0, parts.get(0).cells().size())
        .mapToObj(
            row ->
                parts.stream()
                    .map(part -> part.cells().get(row))
                    .filter(cell -> !cell.isEmpty())
                    .collect(Collectors.joining(" ")))
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private void describeTime() {
    form = guess(time);
    if (!form.format().equals("epoch-ms")) {
      sniffed.option("time-format", form.format());
    }
    if (!form.language().equals("en")) {
      sniffed.option("time-locale", form.language());
    }
    if (!form.others().isEmpty()) {
      sniffed.leaveOpen(
          "the order of day, month and year: taken as %s, and %s fits as well"
              .formatted(form.format(), String.join(", ", form.others())));
    }
    if (form.isCount() && names > 0 && !names(time).toLowerCase(Locale.ROOT).matches(TIMES)) {
      sniffed.leaveOpen(
          "which column is the time: the numbers of %s may be times".formatted(names(time)));
    }
    List<Column> others =
        left.stream().filter(c -> !c.key().matches("m(s|illi).*") || c.distinct() > 1).toList();
    if (!others.isEmpty()) {
      sniffed.leaveOpen(
          "which times are meant: taken from %s; %s has times, too"
              .formatted(names(time), names(others)));
    }
    sniffed.say("times: " + form.format());
    if (form.zoned()) {
      return;
    }
    Matcher offset = OFFSET.matcher(names(time));
    if (offset.find()) {
      String minutes = offset.group(3) == null ? "00" : offset.group(3);
      sniffed.option(
          "time-zone",
          offset.group(1) == null
              ? "UTC"
              : "%s%02d:%s".formatted(offset.group(1), Integer.parseInt(offset.group(2)), minutes));
      return;
    }
    sniffed.leaveOpen(
        "the time zone: the times have no zone; UTC is assumed; if they are local times, add"
            + " for example --time-zone Europe/Berlin");
  }

  private static String names(List<Column> some) {
    return some.stream()
        .map(c -> c.name().isEmpty() ? "column " + (c.place() + 1) : c.name())
        .collect(Collectors.joining(", "));
  }

  private void parts() {
    List<Column> rest =
        columns.stream()
            .filter(c -> !time.contains(c) && !isLeft(c) && !c.values().isEmpty())
            .filter(c -> !c.isTime() && !c.isTimeOfDay() && !c.isZone() && !c.isRowNumber())
            .collect(Collectors.toCollection(ArrayList::new));
    Optional<Column> quality = rest.stream().filter(this::isQuality).findFirst();
    quality.ifPresent(rest::remove);
    List<Column> values =
        rest.stream()
            .filter(c -> c.isNumeric() || c.hasUnits())
            .filter(c -> !c.isNamed(SENSOR_NAMES) && !c.isNamed(REMARK_NAMES) && !isCode(c))
            .toList();
    if (values.size() > 1) {
      values.stream()
          .filter(c -> c.mayBeId() || (c.counts() && c.cells().size() > 2))
          .forEach(c -> sniffed.leaveOpen("whether %s is a value".formatted(names(List.of(c)))));
    }
    List<Column> ids = ids(rest.stream().filter(c -> !values.contains(c)).toList());
    Optional<Column> value =
        values.stream()
            .filter(c -> c.isNamed(VALUE_NAMES))
            .findFirst()
            .or(() -> values.stream().filter(c -> values.size() == 1).findFirst());
    boolean along = !ids.isEmpty() && value.isPresent();
    if (along && values.size() > 1) {
      List<Column> others = values.stream().filter(c -> !c.equals(value.get())).toList();
      sniffed.leaveOpen(
          "which columns are values: taken from %s; %s has numbers, too: --wide"
              .formatted(value.get().name(), names(others)));
    }
    List<Column> clocks =
        values.stream().filter(c -> c.name().matches("([01]?\\d|2[0-4]):[0-5]\\d")).toList();
    boolean days = clocks.size() > 1 && !form.hasHours(joined(time));
    List<Column> used = along ? List.of(value.get()) : days ? clocks : values;
    if (days && !along) {
      describeDays(ids, clocks);
    } else if (along) {
      describeLong(ids, value.get(), quality);
    } else {
      describeWide(ids, values, quality);
    }
    describeNumbers(used);
    quality.ifPresent(this::describeQuality);
    sayLeft(used, ids, quality);
  }

  private boolean isDivided(Column column) {
    return !time.contains(column)
        && !column.texts().isEmpty()
        && column.texts().stream()
            .allMatch(text -> text.matches("-?\\d\\S*\\s+.*\\d") && !NumberGuess.isNumber(text))
        && !column.isTime();
  }

  private boolean isLeft(Column column) {
    return left.stream().anyMatch(other -> other.place() == column.place());
  }

  private void sayLeft(List<Column> values, List<Column> ids, Optional<Column> quality) {
    List<Column> others = new ArrayList<>(columns);
    others.removeAll(time);
    others.removeAll(values);
    others.removeAll(ids);
    quality.ifPresent(others::remove);
    others.removeIf(c -> c.texts().isEmpty());
    if (!others.isEmpty()) {
      sniffed.say("not read: " + names(others));
    }
  }

  /** Digits that are a name: with zeros before them, all of one length, or very long. */
  private static boolean isCode(Column column) {
    List<String> texts = column.texts();
    return texts.stream().allMatch(text -> text.matches("\\d{13,}"))
        || (texts.stream().allMatch(text -> text.matches("0\\d+"))
            && texts.stream().mapToInt(String::length).distinct().count() == 1);
  }

  /** The columns that name the sensor together: each tells apart some that the others do not. */
  private List<Column> ids(List<Column> candidates) {
    List<Column> found = new ArrayList<>();
    List<Column> named =
        candidates.stream()
            .filter(c -> !c.isNamed(REMARK_NAMES))
            .filter(c -> c.isNamed(SENSOR_NAMES) || isCode(c) || !c.isNumeric())
            .sorted(Comparator.comparing(c -> !c.isNamed(SENSOR_NAMES)))
            .toList();
    for (Column column : named) {
      boolean repeats = column.distinct() < column.texts().size();
      boolean full = column.texts().size() == column.cells().size();
      boolean only = names == 0 && found.isEmpty() && column.distinct() == 1;
      boolean sensor = column.isNamed(SENSOR_NAMES) || isCode(column) || only;
      if (column.hasUnits()) {
        askWhetherOfSensor(column);
      }
      if (!full || (!repeats && (!sensor || column.isNumeric()) && column.texts().size() > 1)) {
        if ((sensor || names == 0) && (full || column.distinct() > 1)) {
          askWhetherOfSensor(column);
        }
        continue;
      }
      int before = groups(found, false);
      int after = groups(with(found, column), false);
      boolean tells = groups(with(found, column), true) > groups(found, true);
      // What is one name in the sample may be several further down.
      if (sensor ? found.isEmpty() || after > before || !whole : tells && after > before) {
        found.add(column);
      } else if (!sensor && (after > before ? after <= FEW : !whole)) {
        askWhetherOfSensor(column); // What is one text in the sample may change further down.
      }
    }
    candidates.stream()
        .filter(c -> c.key().matches(UNITS) && c.distinct() > 1)
        .filter(c -> groups(with(found, c), false) > groups(found, false))
        .forEach(this::askWhetherOfSensor);
    boolean several = found.stream().anyMatch(c -> c.distinct() > 1);
    if (several && whole) {
      found.removeIf(c -> c.distinct() == 1 && found.indexOf(c) > 0);
    }
    return found;
  }

  private void askWhetherOfSensor(Column column) {
    sniffed.leaveOpen(
        "whether %s belongs to the sensor, too: --sensor-id".formatted(names(List.of(column))));
  }

  private static List<Column> with(List<Column> some, Column more) {
    return Stream.concat(some.stream(), Stream.of(more)).toList();
  }

  /** How many different names the columns have, each time of one apart or not. */
  private int groups(List<Column> some, boolean timed) {
    Set<String> groups = new HashSet<>();
    List<Column> all =
        Stream.concat(some.stream(), (timed ? time : List.<Column>of()).stream()).toList();
    for (int row = 0; row < columns.get(0).cells().size(); row++) {
      int at = row;
      groups.add(all.stream().map(c -> c.cells().get(at)).collect(Collectors.joining("\n")));
    }
    return groups.size();
  }

  private void describeLong(List<Column> ids, Column value, Optional<Column> quality) {
    boolean plain =
        ids.get(0).name().equals("sensor_id")
            && ids.size() == 1
            && time.size() == 1
            && time.get(0).name().matches("timestamp(_ms)?|time")
            && value.name().equals("value")
            && quality.map(c -> c.name().equals("quality")).orElse(true);
    List<String> parts = new ArrayList<>();
    if (ids.size() == 1) {
      parts.add("sensor_id=" + OptionList.quote(ids.get(0).reference()));
    } else {
      sniffed.option("sensor-id", template(ids));
    }
    parts.add("timestamp=" + references(time));
    parts.add("value=" + OptionList.quote(value.reference()));
    quality.ifPresent(column -> parts.add("quality=" + OptionList.quote(column.reference())));
    String typed = String.join(",", parts);
    if (!plain) {
      sniffed.option("columns", typed);
    }
    sniffed.say("a reading a line: " + typed);
  }

  private static String template(List<Column> ids) {
    return ids.stream()
        .map(c -> "{column:" + (c.name().matches("[^{}]+") ? c.reference() : c.place() + 1) + "}")
        .collect(Collectors.joining("/"));
  }

  private static String references(List<Column> some) {
    return some.stream()
        .map(column -> OptionList.quote(column.reference()))
        .collect(Collectors.joining("+"));
  }

  /** A day a line, with a column for each time of day. */
  private void describeDays(List<Column> ids, List<Column> values) {
    String day = form.format().equals("iso") ? "yyyy-MM-dd" : form.format();
    sniffed.option("time-format", day + " H:mm");
    sniffed.option("wide", "true");
    sniffed.option(
        "columns", "timestamp=" + references(time) + "+{column},value=" + references(values));
    sniffed.option("sensor-id", ids.isEmpty() ? "{file}" : template(ids));
    sniffed.say("a day a line, with %d times".formatted(values.size()));
  }

  private void describeWide(List<Column> ids, List<Column> values, Optional<Column> quality) {
    sniffed.option("wide", "true");
    List<String> parts = new ArrayList<>();
    if (time.size() > 1 || time.get(0).place() > 0) {
      parts.add("timestamp=" + references(time));
    }
    boolean all =
        names <= columns.size() && columns.size() == time.size() + ids.size() + values.size();
    boolean named = values.stream().allMatch(Column::unique);
    if (values.isEmpty()) {
      sniffed.leaveOpen("which column is the value: none has numbers");
    } else if (!all || !named) {
      parts.add("value=" + references(values));
    }
    if (names == 0
        && values.size() > 1
        && values.stream().anyMatch(c -> c.isOfWholeNumbers() || c.hasUnits())) {
      sniffed.leaveOpen("which columns are values: there is no header; a number may be a name");
    }
    quality.ifPresent(column -> parts.add("quality=" + OptionList.quote(column.reference())));
    if (!parts.isEmpty()) {
      sniffed.option("columns", String.join(",", parts));
    }
    if (!ids.isEmpty()) {
      sniffed.option("sensor-id", template(ids) + "/{column}");
    } else if (values.size() == 1) {
      sniffed.option("sensor-id", "{file}/{column}");
    }
    boolean many = values.size() >= HOURS && !form.hasHours(joined(time));
    if (many
        || values.stream().anyMatch(c -> c.name().matches("\\d{1,2}([:.h]\\d\\d| ?[-–] ?\\d).*"))) {
      sniffed.leaveOpen(
          "the times: columns may be times of a day; rename them to 00:00, 00:30 and so on, and"
              + " take --columns timestamp=DATE+{column}");
    }
    sniffed.say(values.size() + " columns with a value each");
  }

  private void describeNumbers(List<Column> values) {
    Set<String> missing = new TreeSet<>();
    Map<String, String> words = new LinkedHashMap<>();
    List<String> numbers = new ArrayList<>();
    for (Column column : values) {
      column.texts().stream().filter(Column::isMissing).forEach(missing::add);
      boolean units = column.hasUnits();
      for (String text : column.values()) {
        if (Column.isWord(text)) {
          words.put(OptionList.quote(text), Column.isZero(text) ? "0" : "1");
        } else {
          numbers.add(units ? Column.withoutUnit(text) : text);
        }
      }
    }
    if (form.format().startsWith("e")) {
      joined(time).stream().filter(text -> text.matches(".*[.,].*")).forEach(numbers::add);
    }
    Set<String> others = new TreeSet<>(numbers);
    others.removeIf(NumberGuess::isNumber);
    if (!others.isEmpty()) {
      sniffed.leaveOpen(
          "which of these are no values: %s; now their lines are bad, say --missing TEXT or leave"
                  .formatted(some(others))
              + " out their column");
    }
    numbers.removeAll(others);
    numbers.stream()
        .filter(text -> text.matches("[-+\u2212]?0\\d.*"))
        .findFirst()
        .ifPresent(
            text -> sniffed.leaveOpen("the numbers: some begin with zeros as codes do: " + text));
    describeUnits(values.stream().filter(Column::hasUnits).toList());
    if (!words.isEmpty()) {
      sniffed.option(
          "value-map",
          words.entrySet().stream().map(Object::toString).collect(Collectors.joining(",")));
    }
    if (!missing.isEmpty()) {
      sniffed.option("missing", String.join(",", missing.stream().map(OptionList::quote).toList()));
    }
    if (numbers.isEmpty()) {
      return;
    }
    NumberGuess.of(numbers, delimiter.character()).describe(sniffed);
  }

  /** Units that are multiples of another in the same column are multiplied. */
  private void describeUnits(List<Column> values) {
    Map<String, String> typed = new LinkedHashMap<>();
    for (Column column : values) {
      Set<String> units = column.units().collect(Collectors.toCollection(LinkedHashSet::new));
      for (String unit : units) {
        Integer power = PREFIXES.get(unit.substring(0, 1));
        boolean multiple = power != null && units.contains(unit.substring(1));
        String factor = multiple ? "=1e" + power : "";
        String known = typed.put(unit, factor);
        if (known != null && !known.equals(factor)) {
          sniffed.leaveOpen("the unit " + unit + ": it stands alone in one column only");
        }
        boolean other =
            !multiple
                && units.size() > 1
                && units.stream().noneMatch(u -> u.endsWith(unit) && !u.equals(unit));
        if (other) {
          sniffed.leaveOpen("the unit " + unit + ": one column has several units");
        }
      }
    }
    if (!typed.isEmpty()) {
      sniffed.option(
          "units",
          typed.entrySet().stream()
              .map(unit -> OptionList.quote(unit.getKey()) + unit.getValue())
              .collect(Collectors.joining(",")));
    }
  }

  /** By its name, and where that may mean another thing by its texts, too. */
  private boolean isQuality(Column column) {
    if (!column.isNamed(QUALITY_NAMES)) {
      return false;
    }
    boolean shown =
        isOpc(column) || isOwn(column) || column.values().stream().anyMatch(QualityMap::isWord);
    if (column.isNamed(MAYBE_QUALITY) && (!shown || column.isNumeric())) {
      boolean codes = shown && (isOpc(column) || isOwn(column));
      if (!column.isNumeric() || codes) {
        sniffed.leaveOpen(
            "whether %s is the quality, and what its texts mean: %s"
                .formatted(column.name(), some(new TreeSet<>(column.texts()))));
      }
      return codes;
    }
    return true;
  }

  private static boolean isOpc(Column quality) {
    Set<String> texts = new TreeSet<>(quality.texts());
    return 2 * texts.stream().filter(text -> text.matches("\\d{1,3}")).count() >= texts.size()
        && texts.stream().anyMatch(text -> text.matches("64|68|80|84|88|192|216"));
  }

  private static boolean isOwn(Column quality) {
    return quality.texts().stream()
        .allMatch(text -> text.matches("(QUALITY_)?(GOOD|UNCERTAIN|BAD|UNSPECIFIED)|[0-3]"));
  }

  private static String some(Iterable<String> texts) {
    List<String> shown = new ArrayList<>();
    texts.forEach(shown::add);
    return String.join(", ", shown.subList(0, Math.min(MAX_SHOWN, shown.size())));
  }

  private void describeQuality(Column quality) {
    Set<String> texts = new TreeSet<>(quality.texts());
    if (texts.contains("0") && !isOpc(quality)) {
      sniffed.leaveOpen(
          "what the quality 0 means: now it is good, as in --quality-map 0=good; OPC's is bad");
    }
    if (isOpc(quality)) {
      sniffed.option("quality-map", "opc");
      sniffed.say("qualities: OPC's numbers");
    } else if (!isOwn(quality)) {
      List<String> unknown = texts.stream().filter(text -> !QualityMap.isWord(text)).toList();
      boolean some = unknown.size() < texts.size();
      String others = unknown.isEmpty() ? "" : (some ? "," : "") + "*=uncertain";
      sniffed.option("quality-map", (some ? "words" : "") + others);
      if (!unknown.isEmpty()) {
        sniffed.leaveOpen(
            "what these qualities mean: %s; now uncertain, say better: --quality-map %s=good,..."
                .formatted(
                    some(unknown), OptionList.quote(unknown.get(0).toLowerCase(Locale.ROOT))));
      }
    }
    if (quality.distinct() > FEW) {
      sniffed.leaveOpen("whether " + quality.reference() + " is a quality at all");
    }
  }
}

package io.weir.internal.text.sniff;

import io.weir.internal.text.mapping.ZoneWords;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A column of the sample.
 *
 * @param cells of its records, empty ones too
 * @param unique whether its name selects it
 */
record Column(int place, String name, List<String> cells, boolean unique) {
  private static final double MOST = 0.5;
  private static final double TURNS = 0.8;
  private static final Set<String> MISSING =
      Set.of(
          ("nan null none n/a na #n/a - -- --- s.o. err ? \\n unavailable unknown nil n.a.")
              .split(" "));
  private static final Set<String> ONES = Set.of("true", "on", "yes");
  private static final Set<String> ZEROS = Set.of("false", "off", "no");
  private static final Pattern UNIT =
      Pattern.compile(
          "([+\\-\u2212]?\\d[\\d.,'"
              + " ]*?)[\\s\\p{Z}]*(%|\u2030|°[CFK]?|[kMGmµμ]?(?:W|Wh|V|A|VA|var|varh|Hz|Pa|bar"
              + "|J|g|m|l|L|s|lx)|hPa|psi|cm|km/h|m/s|mph|kn|l/h|l/min|m[³3](?:/h)?|ppm|ppb|[µμ]g/m[³3]"
              + "|lux|dBm?|min|h|rpm|K|C|F|€"
              + "|º[CF]|℃|℉|deg ?[CF]|Celsius|% ?[rR][HhFf]|Nm[³3](?:/h)?|[µμm]S/cm|W/m[²2])");
  private static final Pattern TIME_OF_DAY =
      Pattern.compile(
          "\\d{1,2}([:.h])\\d{2}(?:\\1\\d{2})?([.,]\\d{1,9})?( ?[aApP]\\.?([mM]\\.?)?)?"
              + "( ?(Z|[+-]\\d\\d:?\\d\\d|[A-Z]{3,5}))?");
  private static final String ROWS =
      "|id|no|nr|num|number|index|idx|rn|seq|sequence|zeile|(row|record|entry|line)(id|no|nr|number)?";
  private static final String ID =
      "(?i).+[^\\p{L}](id|nr|no|num|number|nummer|serial|stn)\\.?|.+I[dD]|.+[nN]ummer";
  private static final Pattern ZONE =
      Pattern.compile("Z|[+-]\\d\\d:\\d\\d|(UTC|GMT)[+-]\\d{1,2}(:?\\d\\d)?");
  private static final String HOURS =
      "hour|hours|hh|hora|heure|stunde|uur|hr|std|he|hourending|timme";
  private static final String CLOCKS = ".*(time|zeit|hora|heure|clock).*|uur|tid|tijd|ora|godz.*";

  /** Those that are not empty. */
  List<String> texts() {
    return cells.stream().filter(cell -> !cell.isEmpty()).toList();
  }

  /** Those that are neither empty nor stand for no value. */
  List<String> values() {
    return cells.stream().filter(cell -> !cell.isEmpty() && !isMissing(cell)).toList();
  }

  static boolean isMissing(String text) {
    return MISSING.contains(text.toLowerCase(Locale.ROOT));
  }

  /** Numbers, or words for one and zero, in most cells. */
  boolean isNumeric() {
    return share(text -> NumberGuess.isNumber(text) || isWord(text));
  }

  boolean isOfWholeNumbers() {
    return values().stream().allMatch(text -> text.matches("\\d+"));
  }

  private boolean share(Predicate<String> fits) {
    List<String> values = values();
    return !values.isEmpty() && values.stream().filter(fits).count() >= MOST * values.size();
  }

  static boolean isWord(String text) {
    return ONES.contains(text.toLowerCase(Locale.ROOT)) || isZero(text);
  }

  static boolean isZero(String text) {
    return ZEROS.contains(text.toLowerCase(Locale.ROOT));
  }

  /** Numbers with a unit behind each, of few units. */
  boolean hasUnits() {
    return !isNumeric()
        && share(text -> !unit(text).isEmpty())
        && units().distinct().count() <= Math.max(2, texts().size() / 2.0);
  }

  Stream<String> units() {
    return values().stream().map(Column::unit).filter(unit -> !unit.isEmpty());
  }

  private static String unit(String text) {
    Matcher matched = UNIT.matcher(text);
    return matched.matches() && NumberGuess.isNumber(matched.group(1)) ? matched.group(2) : "";
  }

  /** The number before the unit, or the whole text. */
  static String withoutUnit(String text) {
    String unit = unit(text);
    return text.substring(0, text.length() - unit.length()).strip();
  }

  /** Whether its cells count the records, by one each. */
  boolean counts() {
    if (cells.isEmpty() || !cells.stream().allMatch(cell -> cell.matches("0|[1-9]\\d{0,8}"))) {
      return false;
    }
    long first = Long.parseLong(cells.get(0));
    return IntStream.range(0, cells.size())
        .allMatch(row -> Long.parseLong(cells.get(row)) == first + row);
  }

  /** Whether it does so from a beginning, or says it. */
  boolean isRowNumber() {
    boolean named = !name.isEmpty() && key().matches(ROWS);
    boolean begins = counts() && cells.get(0).matches("[01]");
    return cells.size() == 1
        ? named && begins
        : (named && counts()) || (place == 0 && begins && cells.size() > 2);
  }

  /** Whole numbers that may name things: by its name, or as they are long and all the same. */
  boolean mayBeId() {
    boolean same = cells.size() > 2 && distinct() == 1;
    return (isOfWholeNumbers()
            && (name.matches(ID) || (same && cells.get(0).matches("[1-9]\\d{2,}"))))
        || comesByTurns();
  }

  /** A few texts in one order again and again, as of devices that are asked by turns. */
  private boolean comesByTurns() {
    int turn = distinct();
    long again =
        IntStream.range(Math.max(1, turn), cells.size())
            .filter(row -> cells.get(row).equals(cells.get(row - turn)))
            .filter(row -> !cells.get(row).equals(cells.get(row - 1)))
            .count();
    return turn > 1 && cells.size() >= 3 * turn && again >= TURNS * (cells.size() - turn);
  }

  /** Whether it has days, or moments. */
  boolean isTime() {
    List<String> texts = texts();
    return !texts.isEmpty()
        && texts.stream().filter(TimeGuess::maybe).count() >= MOST * texts.size()
        && TimeGuess.of(TimeGuess.some(texts), '.').isPresent();
  }

  /** Times of a day: 12:00, 12.00.00, 12:30a; hours alone or without a colon by its name. */
  boolean isTimeOfDay() {
    List<String> texts = texts();
    boolean clock = isClock();
    boolean hour = key().matches(HOURS);
    return !texts.isEmpty()
        && (texts.stream()
                .allMatch(
                    t ->
                        TIME_OF_DAY.matcher(t).matches()
                            && (clock || !t.matches("\\d{1,2}\\.\\d\\d( ?[aApP].*)?")))
            || (clock && texts.stream().allMatch(t -> t.matches("[0-2]\\d[0-5]\\d([0-5]\\d)?")))
            || (hour && texts.stream().allMatch(t -> t.matches("[01]?\\d|2[0-4]"))));
  }

  /** A year, a minute and the like. */
  boolean isPartOfTime() {
    return key()
            .matches(
                "year|month|day|hour|minute|second|jahr|monat|stunde|sekunde|ann?ée|mois|jour"
                    + "|ms|msec|millis|milliseconds?")
        && isOfWholeNumbers();
  }

  /** By its name. */
  boolean isClock() {
    return key().matches(CLOCKS) && !key().matches(".*(date|datum|fecha).*");
  }

  boolean isZone() {
    boolean named = key().matches("tz.*|.*zone|.*offset|utc.*");
    return !texts().isEmpty()
        && texts().stream()
            .allMatch(
                t ->
                    ZoneWords.isKnown(t)
                        || ZONE.matcher(t).matches()
                        || (named && t.matches("[+-]\\d\\d(\\d\\d)?")));
  }

  int distinct() {
    return new HashSet<>(texts()).size();
  }

  boolean isNamed(Set<String> names) {
    return names.contains(key());
  }

  /** The name in small letters and digits. */
  String key() {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
  }

  /** As --columns takes it. */
  String reference() {
    return unique ? name : Integer.toString(place + 1);
  }
}

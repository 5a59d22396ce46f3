package io.weir.internal.text.mapping;

import java.text.DateFormatSymbols;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times in ISO 8601 or of a pattern. A time that names its offset is an instant; any other is local
 * in a zone. Strict: the 31st of April is no date. Hour 24 is midnight of the next day, also where
 * hours count from 1. Names of months and zones do not come from the JDK. One thread.
 */
final class DateTimeText implements TimeReader {
  private static final int NANO_DIGITS = 9;
  private static final int HOURS = 24;
  private static final DateTimeException NO_TIME = new DateTimeException("no time");
  private static final Pattern PARTS =
      Pattern.compile("'[^']*'|([ML])\\1{2,}(\\.?)|([A-Za-z])\\3*|[^A-Za-z']");
  private static final Pattern HALF_OF_DAY =
      Pattern.compile(" ?(?<!\\p{L})([AaPp])\\.? ?(?:[Mm]\\.?)?(?!\\p{L})");
  private static final Pattern DAY_NAME = Pattern.compile("^\\p{L}+[.,]* ");

  private final LocalTimes local;
  private final DateTimeFormatter strict;
  private final DateTimeFormatter smart;
  private final Optional<Months> months;
  private final String[] halves;
  private final boolean dayName;

  // Many sensors report at one time, and a file has them one after the other.
  private String lastText = "";
  private Outcome lastOutcome = Outcome.BAD;
  private String unknownZone = "";

  /**
   * @param pattern iso or a pattern
   * @throws IllegalArgumentException where it is no pattern, or has no day
   */
  DateTimeText(String pattern, Locale locale, LocalTimes local) {
    this.local = local;
    boolean iso = "iso".equals(pattern);
    this.strict =
        (iso ? iso() : builder(pattern))
            .toFormatter(locale)
            .withResolverStyle(ResolverStyle.STRICT);
    this.smart = strict.withResolverStyle(ResolverStyle.SMART);
    String letters = pattern.replaceAll("'[^']*'", "");
    boolean named = !iso && letters.matches("(?s).*(MMM|LLL).*");
    this.months = named ? Optional.of(new Months(locale)) : Optional.empty();
    boolean half = !iso && letters.contains("a");
    this.halves = half ? DateFormatSymbols.getInstance(locale).getAmPmStrings() : new String[0];
    this.dayName = !iso && pattern.startsWith("E");
  }

  @Override
  public Outcome read(String text, String series) {
    if (local.isByOrder()) {
      return parse(text, series);
    }
    if (!text.equals(lastText)) {
      lastOutcome = parse(text, series);
      lastText = text;
    }
    return lastOutcome;
  }

  private Outcome parse(String text, String series) {
    String normal = normal(text);
    try {
      TemporalAccessor parsed = parse(normal);
      LocalDate date = parsed.query(TemporalQueries.localDate());
      LocalTime time = parsed.query(TemporalQueries.localTime());
      if (date == null || time == null) {
        return Outcome.BAD;
      }
      LocalDateTime dateTime = LocalDateTime.of(date, time);
      if (parsed.isSupported(ChronoField.OFFSET_SECONDS)) {
        local.read(dateTime, ZoneOffset.ofTotalSeconds(parsed.get(ChronoField.OFFSET_SECONDS)));
        return Outcome.READ;
      }
      ZoneId named = parsed.query(TemporalQueries.zoneId());
      return local.read(dateTime, named == null ? local.zone() : named, series);
    } catch (DateTimeException | ArithmeticException noTime) {
      String last = normal.substring(normal.lastIndexOf(' ') + 1);
      unknownZone = ZoneWords.meansSeveral(last) ? last : unknownZone;
      return Outcome.BAD;
    }
  }

  /** Hour 24 is read leniently; the day of its month is not. */
  private TemporalAccessor parse(String text) {
    if (lastOutcome == Outcome.BAD && strict.parseUnresolved(text, new ParsePosition(0)) == null) {
      throw NO_TIME; // An exception for each of many is slow.
    }
    try {
      return strict.parse(text);
    } catch (DateTimeException e) {
      if (!text.contains("24")) {
        throw e;
      }
      TemporalAccessor parsed = smart.parse(text);
      TemporalAccessor fields = smart.parseUnresolved(text, new ParsePosition(0));
      LocalDate date = parsed.query(TemporalQueries.localDate());
      boolean sameDay =
          fields.isSupported(ChronoField.HOUR_OF_DAY)
              && fields.getLong(ChronoField.HOUR_OF_DAY) == HOURS
              && fields.isSupported(ChronoField.DAY_OF_MONTH)
              && fields.getLong(ChronoField.DAY_OF_MONTH) == date.minusDays(1).getDayOfMonth();
      if (sameDay) {
        return parsed;
      }
      throw e;
    }
  }

  /** Blanks of all kinds as one space; months and zones as digits; am and pm as the JDK's. */
  private String normal(String text) {
    String normal = normalBlanks(text);
    if (dayName) {
      normal = DAY_NAME.matcher(normal).replaceFirst("");
    }
    if (months.isPresent()) {
      normal = months.get().toDigits(normal);
    }
    if (halves.length > 0) {
      Matcher half = HALF_OF_DAY.matcher(normal);
      if (half.find()) {
        String name = halves[half.group(1).equalsIgnoreCase("a") ? 0 : 1];
        normal = normal.substring(0, half.start()) + " " + name + normal.substring(half.end());
      }
    }
    boolean word = normal.chars().anyMatch(c -> c >= 'A' && c <= 'Y' && c != 'T');
    return word ? ZoneWords.toOffset(normal, local.zone()) : normal;
  }

  private static String normalBlanks(String text) {
    boolean plain = !text.contains("  ") && text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    return plain
        ? text
        : text.replaceAll("[\\p{Cf}]", "")
            .replace('\u2212', '-')
            .replaceAll("[\\s\\p{Z}]+", " ")
            .strip();
  }

  @Override
  public Optional<String> remedy() {
    return unknownZone.isEmpty()
        ? Optional.empty()
        : Optional.of(
            unknownZone
                + " is the abbreviation of several time zones; name yours, for example --time-zone "
                + (unknownZone.equals("BST")
                    ? "Europe/London"
                    : unknownZone.equals("IST") ? "Asia/Kolkata" : "America/Chicago"));
  }

  @Override
  public long millis() {
    return local.millis();
  }

  /** The pattern of a text that was normalised. */
  private static String prepare(String pattern) {
    StringBuilder prepared = new StringBuilder();
    Matcher parts = PARTS.matcher(pattern.replaceAll(" +", " ").replaceFirst("^E+[.,]* ", ""));
    while (parts.find()) {
      String part = parts.group();
      switch (part.charAt(0)) {
        case 'M', 'L' -> prepared.append(parts.group(2) == null ? part : "MM");
        case 'k' -> prepared.append("H".repeat(part.length()));
        case 'a' -> behindBlank(prepared).append(part);
        case 'z' -> behindBlank(prepared).append("[xxx][VV]");
        case 'v' -> throw new IllegalArgumentException("v: expected: z, VV or XXX");
        default -> prepared.append(part);
      }
      if (part.startsWith("zzzz")) {
        throw new IllegalArgumentException("zzzz: expected: z, VV or XXX");
      }
    }
    return prepared.toString();
  }

  private static StringBuilder behindBlank(StringBuilder prepared) {
    boolean blank = prepared.length() > 0 && prepared.charAt(prepared.length() - 1) == ' ';
    return blank ? prepared : prepared.append(' ');
  }

  /** What a pattern leaves out of the time is zero. */
  private static DateTimeFormatterBuilder builder(String pattern) {
    try {
      DateTimeFormatterBuilder builder =
          new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(prepare(pattern));
      String letters = pattern.replaceAll("'[^']*'", "");
      boolean day = letters.matches("(?s).*(d|D).*") && letters.matches("(?s).*[uy].*");
      if (!day) {
        throw new IllegalArgumentException("it names no year and day");
      }
      builder.parseDefaulting(ChronoField.ERA, 1); // "yyyy" alone would be strictly no year.
      if (letters.matches("(?s)[^HhkKnNA]*")) {
        builder.parseDefaulting(ChronoField.HOUR_OF_DAY, 0);
      }
      if (!letters.contains("m")) {
        builder.parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0);
      }
      if (!letters.contains("s")) {
        builder.parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0);
      }
      return builder;
    } catch (IllegalArgumentException | ClassCastException e) {
      // The second is of the JDK's builder, where a padded field follows another number: "epA".
      throw new IllegalArgumentException(
          "expected: iso, epoch-s, epoch-ms, epoch-us, epoch-ns, excel or a pattern such as"
              + " 'dd.MM.yyyy HH:mm:ss' (%s)".formatted(e.getMessage()),
          e);
    }
  }

  /** A date, optionally with a time after T or a blank, a fraction, and an offset or zone. */
  private static DateTimeFormatterBuilder iso() {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .append(DateTimeFormatter.ISO_LOCAL_DATE)
        .appendPattern("[['T'][' ']HH:mm[:ss")
        .optionalStart()
        .appendFraction(ChronoField.NANO_OF_SECOND, 1, NANO_DIGITS, true)
        .optionalEnd()
        .optionalStart()
        .appendLiteral(',')
        .appendFraction(ChronoField.NANO_OF_SECOND, 1, NANO_DIGITS, false)
        .optionalEnd()
        .appendPattern("][' '][XXXXX][XXXX][X]")
        .appendPattern("['['VV']']]")
        .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
        .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
        .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0);
  }
}

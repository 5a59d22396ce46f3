package io.weir.text.mapping;

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

/**
 * Times in ISO 8601 or of a pattern. A time that names its offset is an instant; any other is local
 * in a zone. Strict: the 31st of April is no date. One thread.
 */
final class DateTimeText implements TimeReader {
  private static final int NANO_DIGITS = 9;

  private final DateTimeFormatter formatter;
  private final LocalTimes local;

  // Many sensors report at one time, and a file has them one after the other.
  private String lastText = "";
  private Outcome lastOutcome = Outcome.BAD;

  DateTimeText(DateTimeFormatter formatter, LocalTimes local) {
    this.formatter = formatter;
    this.local = local;
  }

  @Override
  public Outcome read(String text) {
    if (!text.equals(lastText)) {
      lastOutcome = parse(text);
      lastText = text;
    }
    return lastOutcome;
  }

  private Outcome parse(String text) {
    try {
      TemporalAccessor parsed = formatter.parse(text);
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
      return local.read(dateTime, named == null ? local.zone() : named);
    } catch (DateTimeException | ArithmeticException noTime) {
      return Outcome.BAD;
    }
  }

  @Override
  public long millis() {
    return local.millis();
  }

  private static DateTimeFormatterBuilder builder(String pattern) {
    try {
      return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(pattern);
    } catch (ClassCastException e) {
      // Of the JDK's builder, where a padded field follows another number, as in "epA".
      throw new IllegalArgumentException("a field is padded that cannot be", e);
    }
  }

  /**
   * The formatter of {@code iso} or of a pattern. What a pattern leaves out of the time is zero.
   *
   * @throws IllegalArgumentException where it is no pattern, or has no day
   */
  static DateTimeFormatter formatter(String text, Locale locale) {
    if ("iso".equals(text)) {
      return iso();
    }
    try {
      DateTimeFormatterBuilder builder = builder(text);
      String letters = text.replaceAll("'[^']*'", "");
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
      return builder.toFormatter(locale).withResolverStyle(ResolverStyle.STRICT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected: iso, epoch-s, epoch-ms, epoch-us, epoch-ns, excel or a pattern such as"
              + " 'dd.MM.yyyy HH:mm:ss' (%s)".formatted(e.getMessage()),
          e);
    }
  }

  /** A date, optionally with a time after T or a blank, a fraction, and an offset or zone. */
  private static DateTimeFormatter iso() {
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
        .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
        .toFormatter(Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }
}

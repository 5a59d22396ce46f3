package io.weir.internal.text.mapping;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DateFormatSymbols;
import java.text.Normalizer;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How times are written, and what a local time means. Immutable.
 *
 * @param text as it is typed: iso, epoch-s, epoch-ms, epoch-us, epoch-ns, excel or a pattern of
 *     {@link java.time.format.DateTimeFormatter}
 * @param zone of times that name none
 * @param ambiguous which of two is meant where a local time was there twice; empty for neither
 */
public record TimeFormat(String text, ZoneId zone, Optional<Choice> ambiguous, Locale locale) {
  private static final Map<String, Integer> EPOCHS =
      Map.of("epoch-s", 0, "epoch-ms", 3, "epoch-us", 6, "epoch-ns", 9);

  /** Milliseconds since the epoch. */
  public static final TimeFormat EPOCH_MS =
      new TimeFormat("epoch-ms", ZoneId.of("UTC"), Optional.empty(), Locale.ENGLISH);

  public TimeFormat {
    if (!isEpoch(text) && !isExcel(text)) {
      new DateTimeText(
          text, locale, new LocalTimes(zone, ambiguous)); // Says what is wrong with it.
    }
  }

  /** One of two, or that which the order of the readings of a sensor tells. */
  public enum Choice {
    EARLIER,
    LATER,
    ORDER
  }

  private static boolean isEpoch(String text) {
    return EPOCHS.containsKey(text);
  }

  private static boolean isExcel(String text) {
    return "excel".equals(text);
  }

  /** Whether a zone matters: counts since the epoch have none. */
  public boolean isLocal() {
    return !isEpoch(text);
  }

  /**
   * The zone of that name.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "no such time zone; expected: a name such as Europe/Berlin, UTC or an offset such as"
              + " +01:00");
    }
  }

  /** Another way to write times of the same zone. */
  public TimeFormat withFormat(String other) {
    return new TimeFormat(other, zone, ambiguous, locale);
  }

  /** A new reader of this format, where numbers have that decimal sign. */
  public TimeReader reader(char decimal) {
    if (isEpoch(text)) {
      return new EpochReader(EPOCHS.get(text), decimal);
    }
    LocalTimes local = new LocalTimes(zone, ambiguous);
    return isExcel(text) ? new ExcelReader(local, decimal) : new DateTimeText(text, locale, local);
  }

  /**
   * A spreadsheet's serial date: days since 1899-12-30 with their fraction, a local time, rounded
   * to the millisecond. The first sixty days, which Excel counts wrongly, are no dates. One thread.
   */
  static final class ExcelReader implements TimeReader {
    private static final LocalDate DAY_ZERO = LocalDate.of(1899, 12, 30);
    private static final BigDecimal DAY_MS = BigDecimal.valueOf(86_400_000);
    private static final BigDecimal FIRST = BigDecimal.valueOf(61);

    /** The last day of the year 9999, which is a spreadsheet's too. */
    private static final BigDecimal LAST = BigDecimal.valueOf(2_958_466);

    private final LocalTimes local;
    private final char decimal;

    ExcelReader(LocalTimes local, char decimal) {
      this.local = local;
      this.decimal = decimal;
    }

    @Override
    public Outcome read(String text, String series) {
      BigDecimal days = EpochReader.plainNumber(text, decimal);
      if (days == null || days.compareTo(FIRST) < 0 || days.compareTo(LAST) >= 0) {
        return Outcome.BAD;
      }
      long ms = days.multiply(DAY_MS).setScale(0, RoundingMode.HALF_UP).longValueExact();
      return local.read(DAY_ZERO.atStartOfDay().plusNanos(ms * 1_000_000L), local.zone(), series);
    }

    @Override
    public long millis() {
      return local.millis();
    }
  }

  /**
   * Times in ISO 8601 or of a pattern. A time that names its offset is an instant; any other is
   * local in a zone. Strict: the 31st of April is no date. Hour 24 is midnight of the next day,
   * also where hours count from 1. Names of months and zones do not come from the JDK. One thread.
   */
  static final class DateTimeText implements TimeReader {
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
    private final boolean beginning;

    // Many sensors report at one time, and a file has them one after the other.
    private String lastText = "";
    private Outcome lastOutcome = Outcome.BAD;
    private String unknownZone = "";

    /**
     * @param pattern iso or a pattern; with * at its end, that of a text's beginning
     * @throws IllegalArgumentException where it is no pattern, or has no day
     */
    DateTimeText(String pattern, Locale locale, LocalTimes local) {
      this.local = local;
      boolean iso = "iso".equals(pattern);
      this.beginning = pattern.endsWith("*");
      this.strict =
          (iso ? iso() : builder(beginning ? pattern.substring(0, pattern.length() - 1) : pattern))
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
      ParsePosition end = new ParsePosition(0);
      if (beginning && strict.parseUnresolved(normal, end) != null) {
        normal = normal.substring(0, end.getIndex());
      }
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
      if (lastOutcome == Outcome.BAD
          && strict.parseUnresolved(text, new ParsePosition(0)) == null) {
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

    /**
     * Names of months in a language: the full name, or a beginning of three letters or more that no
     * other month has; ignoring case, accents and dots. So an abbreviation does not depend on the
     * version of the JDK, which changed several of them.
     */
    static final class Months {
      /** Abbreviations that are no beginnings. */
      private static final Map<String, Map<String, Integer>> OTHERS =
          Map.of(
              "de", Map.of("mrz", 3),
              "nl", Map.of("mrt", 3),
              "fr", Map.of("jul", 7),
              "es", Map.of("set", 9));

      private static final Pattern WORD = Pattern.compile("\\p{L}{3,}\\.?");
      private static final int MIN_LETTERS = 3;

      private static final Map<Locale, Map<String, Integer>> KNOWN = new ConcurrentHashMap<>();

      private final Map<String, Integer> names;

      Months(Locale language) {
        this.names = KNOWN.computeIfAbsent(language, Months::names);
      }

      /** The text with the first name of a month replaced by its two digits. */
      String toDigits(String text) {
        Matcher words = WORD.matcher(text);
        while (words.find()) {
          int month = names.getOrDefault(plain(words.group()), 0);
          if (month > 0) {
            return text.substring(0, words.start())
                + String.format(Locale.ROOT, "%02d", month)
                + text.substring(words.end());
          }
        }
        return text;
      }

      /** All beginnings; those of several months have 0. */
      private static Map<String, Integer> names(Locale language) {
        Map<String, Integer> names = new HashMap<>();
        Map<String, Integer> whole =
            new HashMap<>(OTHERS.getOrDefault(language.getLanguage(), Map.of()));
        for (Month month : Month.values()) {
          for (TextStyle style : List.of(TextStyle.FULL, TextStyle.FULL_STANDALONE)) {
            String name = plain(month.getDisplayName(style, language));
            whole.put(name, month.getValue());
            for (int length = MIN_LETTERS; length < name.length(); length++) {
              names.merge(
                  name.substring(0, length),
                  month.getValue(),
                  (a, b) -> a.equals(b) ? a : Integer.valueOf(0));
            }
          }
        }
        names.putAll(whole);
        return names;
      }

      private static String plain(String word) {
        return Normalizer.normalize(word.toLowerCase(Locale.ROOT), Normalizer.Form.NFD)
            .replaceAll("[\\p{M}.]", "");
      }
    }
  }

  /**
   * A count since the epoch: digits, optionally with a fraction, cut to the millisecond. Not in
   * scientific notation: a spreadsheet that writes 1.7E+12 has lost the rest. One thread.
   */
  static final class EpochReader implements TimeReader {
    private static final int MAX_LENGTH = 40;
    private static final Pattern PLAIN = Pattern.compile("-?[0-9]+([.,][0-9]*)?");
    private static final int MILLIS_DIGITS = 3;

    private final int unitDigits;
    private final char decimal;
    private long millis;

    /**
     * @param unitDigits 0 for seconds, 3 for milliseconds, and so on
     */
    EpochReader(int unitDigits, char decimal) {
      this.unitDigits = unitDigits;
      this.decimal = decimal;
    }

    @Override
    public Outcome read(String text, String series) {
      BigDecimal count = plainNumber(text, decimal);
      if (count == null) {
        return Outcome.BAD;
      }
      try {
        millis =
            count
                .movePointRight(MILLIS_DIGITS - unitDigits)
                .setScale(0, RoundingMode.FLOOR)
                .longValueExact();
        return Outcome.READ;
      } catch (ArithmeticException beyond64Bits) {
        return Outcome.BAD;
      }
    }

    /** Digits with a sign and a fraction, both optional; null where the text is anything else. */
    static BigDecimal plainNumber(String text, char decimal) {
      boolean plain =
          text.length() <= MAX_LENGTH
              && PLAIN.matcher(text).matches()
              && (decimal == ',' || text.indexOf(',') < 0);
      return plain ? new BigDecimal(text.replace(',', '.')) : null;
    }

    @Override
    public long millis() {
      return millis;
    }
  }
}

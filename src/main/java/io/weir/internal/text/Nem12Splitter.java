package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.reading.Quality;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/**
 * NEM12, as AEMO's Meter Data File Format Specification has it: line 200 names a meter and the
 * length of its intervals, line 300 holds a day of them, and lines 400 behind it the qualities of a
 * day whose quality is V. A reading for each interval, at its beginning; the market's time is
 * UTC+10 all year. The sensor is NMI/suffix. One thread.
 */
final class Nem12Splitter implements LineSplitter {
  private static final byte[] HEADER = "100,NEM12".getBytes(US_ASCII);
  private static final ZoneOffset MARKET_TIME = ZoneOffset.ofHours(10);
  private static final long MINUTE_MS = 60_000;
  private static final int DAY_MINUTES = 1_440;
  private static final int FIRST_VALUE = 2;

  private final Cells cells = new Cells(',');
  private byte[] sensorId = {};

  /** Of the meter at hand; 0 where its line could not be read. */
  private int intervalMinutes;

  private long midnightMs;
  private byte[] day = {};
  private final int[] valueFrom = new int[DAY_MINUTES];
  private final int[] valueTo = new int[DAY_MINUTES];

  /** The intervals of the line at hand. */
  private int next;

  private int end;
  private Quality quality;

  /**
   * The intervals of a day of quality V whose qualities have come; -1 where no such day is open.
   */
  private int covered = -1;

  private int lineBytes;
  private long withoutValue;

  /** Whether a file begins as NEM12. */
  static boolean begins(LineScanner line) {
    int length = Math.min(HEADER.length, line.end() - line.start());
    return Arrays.equals(
        line.buffer(), line.start(), line.start() + length, HEADER, 0, HEADER.length);
  }

  @Override
  public boolean isSilent(byte[] line, int start, int end) {
    lineBytes = end - start;
    quality = null;
    if (!cells.split(line, start, end)) {
      return false;
    }
    String record = cells.text(0);
    if (!record.equals("400")) {
      withoutValue = withoutValue();
      covered = -1;
    }
    return switch (record) {
      case "200" -> isMeter();
      case "300" -> isDayWithoutReadings();
      case "400" -> isRangeWithoutReadings();
      case "100", "500", "900" -> true;
      default -> false;
    };
  }

  private boolean isMeter() {
    intervalMinutes = 0;
    if (cells.count() < 9 || cells.isBlank(1) || cells.isBlank(4)) {
      return false;
    }
    int minutes = number(8);
    if (minutes < 1 || DAY_MINUTES % minutes != 0) {
      return false;
    }
    sensorId = (cells.text(1) + "/" + cells.text(4)).getBytes(UTF_8);
    intervalMinutes = minutes;
    return true;
  }

  /** Keeps a day; whether its qualities are to come, or it has no values. */
  private boolean isDayWithoutReadings() {
    if (intervalMinutes == 0 || cells.count() <= FIRST_VALUE + intervals()) {
      return false;
    }
    try {
      midnightMs =
          LocalDate.parse(cells.text(1), DateTimeFormatter.BASIC_ISO_DATE)
              .atStartOfDay()
              .toInstant(MARKET_TIME)
              .toEpochMilli();
    } catch (DateTimeException e) {
      return false;
    }
    next = 0;
    end = intervals();
    String kind = kind(FIRST_VALUE + end);
    if (kind.equals("N")) {
      withoutValue += end;
      return true;
    }
    copyDay();
    if (kind.equals("V")) {
      covered = 0;
      return true;
    }
    quality = quality(kind);
    return false;
  }

  private void copyDay() {
    day = day.length < lineBytes ? new byte[lineBytes] : day;
    int used = 0;
    for (int i = 0; i < end; i++) {
      int cell = FIRST_VALUE + i;
      int length = cells.to(cell) - cells.from(cell);
      System.arraycopy(cells.bytes(cell), cells.from(cell), day, used, length);
      valueFrom[i] = used;
      used += length;
      valueTo[i] = used;
    }
  }

  /** Takes a range of intervals, which begins where the one before ended. */
  private boolean isRangeWithoutReadings() {
    int last = number(2);
    Quality given = quality(kind(3));
    boolean isNone = kind(3).equals("N");
    if (covered < 0
        || number(1) != covered + 1
        || last <= covered
        || last > intervals()
        || (given == null && !isNone)) {
      return false;
    }
    next = covered;
    end = last;
    covered = last;
    quality = given;
    withoutValue += isNone ? end - next : 0;
    return isNone;
  }

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    return quality != null && next(fields) ? null : LineReason.MALFORMED_LINE;
  }

  @Override
  public boolean next(LineFields fields) {
    if (next == end) {
      return false;
    }
    fields.clear(lineBytes);
    fields.set(LineFields.SENSOR_ID, sensorId, 0, sensorId.length);
    long ms = midnightMs + next * intervalMinutes * MINUTE_MS;
    set(LineFields.TIMESTAMP, Long.toString(ms), fields);
    fields.set(LineFields.VALUE, day, valueFrom[next], valueTo[next]);
    set(LineFields.QUALITY, Integer.toString(quality.number()), fields);
    next++;
    return true;
  }

  private static void set(int field, String text, LineFields fields) {
    byte[] bytes = text.getBytes(US_ASCII);
    fields.set(field, bytes, 0, bytes.length);
  }

  /** Actual; estimated, final substitute and substitute. */
  private static Quality quality(String kind) {
    return switch (kind) {
      case "A" -> Quality.GOOD;
      case "E", "F", "S" -> Quality.UNCERTAIN;
      default -> null;
    };
  }

  /** The first character of a quality, without its method. */
  private String kind(int cell) {
    String text = cell < cells.count() ? cells.text(cell) : "";
    return text.isEmpty() ? "" : text.substring(0, 1);
  }

  private int intervals() {
    return DAY_MINUTES / intervalMinutes;
  }

  /** A number of up to four digits, or -1. */
  private int number(int cell) {
    String text = cell < cells.count() ? cells.text(cell) : "";
    return text.matches("\\d{1,4}") ? Integer.parseInt(text) : -1;
  }

  /** What no line 400 speaks of has no quality, and so is no reading. */
  @Override
  public long withoutValue() {
    return withoutValue + (covered < 0 ? 0 : intervals() - covered);
  }
}

package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.text.mapping.CellTexts;
import io.weir.internal.text.mapping.Mapping;
import io.weir.internal.text.mapping.TimeReader;
import io.weir.reading.Quality;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Writes what a mapping finds into the fields of a reading, as the plain form has it: the time in
 * milliseconds, the value with a decimal point, the quality by its number. What cannot be read is
 * written so that it is neither. One thread.
 */
final class ReadingFiller {
  /** Stands for what is no time, no number, no quality, and is none itself. */
  private static final byte[] NONE = {'?'};

  /** A text for which no option has a quality. */
  private static final String NO_WORD = "\0";

  /** Most characters of a time or a quality: each reading of a line has them read again. */
  private static final int MAX_TEXT = 256;

  private final Mapping mapping;
  private final TimeReader time;
  private final TimeReader local;
  private final DecimalText number = new DecimalText();
  private TimeReader.Outcome timeOutcome = TimeReader.Outcome.BAD;

  ReadingFiller(Mapping mapping) {
    this.mapping = mapping;
    this.time = mapping.time().reader(mapping.numbers().decimal());
    this.local = mapping.time().withFormat("iso").reader('.');
  }

  /** Cuts a text that is too long for a time or a quality, so that it is none still. */
  static String cut(String text) {
    return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT + 1) : text;
  }

  void sensorId(String id, LineFields fields) {
    set(LineFields.SENSOR_ID, id.getBytes(UTF_8), fields);
  }

  /**
   * An empty text is a time that is missing.
   *
   * @param series whose times are in an order of their own
   */
  void time(String text, String series, LineFields fields) {
    if (text.isEmpty()) {
      return;
    }
    time(time, text, series, fields);
  }

  private void time(TimeReader reader, String text, String series, LineFields fields) {
    timeOutcome = text.length() > MAX_TEXT ? TimeReader.Outcome.BAD : reader.read(text, series);
    if (timeOutcome == TimeReader.Outcome.READ) {
      time(Instant.ofEpochMilli(reader.millis()), fields);
    } else {
      set(LineFields.TIMESTAMP, NONE, fields);
    }
  }

  /** A time that has its zone, whatever the format of texts is. */
  void time(Instant instant, LineFields fields) {
    long millis = instant.toEpochMilli() + mapping.timeShiftMs();
    set(LineFields.TIMESTAMP, Long.toString(millis).getBytes(US_ASCII), fields);
  }

  /** A time in the mapping's zone, whatever the format of texts is. */
  void time(LocalDateTime text, String series, LineFields fields) {
    time(local, DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(text), series, fields);
  }

  void value(byte[] text, int from, int to, LineFields fields) {
    fields.begin(LineFields.VALUE);
    if (mapping.values().isEmpty() && mapping.units().isEmpty()) {
      mapping.numbers().writeCanonical(text, from, to, b -> fields.append(LineFields.VALUE, b));
      return;
    }
    String cell = new String(text, from, to - from, UTF_8).strip();
    String known = mapping.values().get(CellTexts.key(cell));
    set(LineFields.VALUE, known == null ? withoutUnit(cell) : known.getBytes(US_ASCII), fields);
  }

  /** The number with the exponent that its unit, the longest that fits, stands for. */
  private byte[] withoutUnit(String cell) {
    String unit = "";
    for (String known : mapping.units().keySet()) {
      unit = cell.endsWith(known) && known.length() > unit.length() ? known : unit;
    }
    byte[] number = cell.substring(0, cell.length() - unit.length()).getBytes(UTF_8);
    ByteArrayOutputStream canonical = new ByteArrayOutputStream();
    mapping.numbers().writeCanonical(number, 0, number.length, canonical::write);
    int exponent = mapping.units().getOrDefault(unit, 0);
    if (exponent != 0) {
      canonical.writeBytes(("e" + exponent).getBytes(US_ASCII));
    }
    return canonical.toByteArray();
  }

  /** Whether the text is a number by itself, and not the like of a serial number. */
  boolean isNumber(String text) {
    LineFields fields = new LineFields();
    byte[] bytes = text.getBytes(UTF_8);
    fields.clear(bytes.length + 1);
    value(bytes, 0, bytes.length, fields);
    int v = LineFields.VALUE;
    return !text.matches("0\\d.*") && number.read(fields.bytes(v), fields.from(v), fields.to(v));
  }

  /** What helps where times could not be read, if that is known. */
  Optional<String> remedy() {
    return time.remedy();
  }

  void quality(String text, LineFields fields) {
    if (text.isEmpty()) {
      return;
    }
    if (mapping.quality().isEmpty()) {
      byte[] utf8 = text.length() > MAX_TEXT ? NONE : text.getBytes(UTF_8);
      set(LineFields.QUALITY, utf8, fields);
      return;
    }
    Quality quality = mapping.quality().get().of(text.length() > MAX_TEXT ? NO_WORD : text);
    byte[] number = quality == null ? NONE : Integer.toString(quality.number()).getBytes(US_ASCII);
    set(LineFields.QUALITY, number, fields);
  }

  /** Why a time that cannot be read is none. */
  LineReason refine(LineReason reason) {
    if (reason != LineReason.BAD_TIMESTAMP) {
      return reason;
    }
    return switch (timeOutcome) {
      case NONEXISTENT -> LineReason.NONEXISTENT_TIME;
      case AMBIGUOUS -> LineReason.AMBIGUOUS_TIME;
      default -> reason;
    };
  }

  private static void set(int field, byte[] text, LineFields fields) {
    fields.set(field, text, 0, text.length);
  }
}

package io.weir.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.reading.Quality;
import io.weir.text.mapping.Mapping;
import io.weir.text.mapping.TimeReader;

/**
 * Writes what a mapping finds into the fields of a reading, as the plain form has it: the time in
 * milliseconds, the value with a decimal point, the quality by its number. What cannot be read is
 * written so that it is neither. One thread.
 */
final class ReadingFiller {
  /** Stands for what is no time, no number, no quality, and is none itself. */
  private static final byte[] NONE = {'?'};

  private final Mapping mapping;
  private final TimeReader time;
  private TimeReader.Outcome timeOutcome = TimeReader.Outcome.BAD;

  ReadingFiller(Mapping mapping) {
    this.mapping = mapping;
    this.time = mapping.time().reader(mapping.numbers().decimal());
  }

  void sensorId(String id, LineFields fields) {
    set(LineFields.SENSOR_ID, id.getBytes(UTF_8), fields);
  }

  /** An empty text is a time that is missing. */
  void time(String text, LineFields fields) {
    if (text.isEmpty()) {
      return;
    }
    timeOutcome = time.read(text);
    boolean read = timeOutcome == TimeReader.Outcome.READ;
    set(
        LineFields.TIMESTAMP,
        read ? Long.toString(time.millis()).getBytes(US_ASCII) : NONE,
        fields);
  }

  void value(byte[] text, int from, int to, LineFields fields) {
    fields.begin(LineFields.VALUE);
    mapping.numbers().writeCanonical(text, from, to, b -> fields.append(LineFields.VALUE, b));
  }

  void quality(String text, LineFields fields) {
    if (text.isEmpty()) {
      return;
    }
    if (mapping.quality().isEmpty()) {
      set(LineFields.QUALITY, text.getBytes(UTF_8), fields);
      return;
    }
    Quality quality = mapping.quality().get().of(text);
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

package io.weir.internal.text;

import io.weir.reading.Quality;
import io.weir.reading.Reading;
import io.weir.reading.ReadingRules;
import io.weir.reading.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** Turns the fields of a line into a reading, or says why there is none. One thread. */
final class LineJudge {
  private final int maxIdBytes;
  private final IntegerText timestamp = new IntegerText();
  private final DecimalText value = new DecimalText();
  private final SensorIds ids = new SensorIds();
  private final UnitGuess units = new UnitGuess();
  private final LongSupplier latestTimestampMs;
  private long latestMs = Long.MIN_VALUE;
  private Reading reading;

  /**
   * @param maxIdBytes longest sensor id that is accepted, in bytes
   * @param latestTimestampMs the latest time that is accepted now; never goes back
   */
  LineJudge(int maxIdBytes, LongSupplier latestTimestampMs) {
    this.maxIdBytes = maxIdBytes;
    this.latestTimestampMs = latestTimestampMs;
  }

  /** The first reason why the fields are no reading; null where they are {@link #reading()}. */
  LineReason judge(LineFields f) {
    reading = null;
    if (f.isEmpty(LineFields.SENSOR_ID)) {
      return LineReason.MISSING_SENSOR_ID;
    }
    if (f.isEmpty(LineFields.TIMESTAMP)) {
      return LineReason.MISSING_TIMESTAMP;
    }
    int t = LineFields.TIMESTAMP;
    if (!timestamp.read(f.bytes(t), f.from(t), f.to(t))) {
      return LineReason.BAD_TIMESTAMP;
    }
    if (units.isLooking()) {
      units.look(timestamp.value());
    }
    if (f.isEmpty(LineFields.VALUE)) {
      return LineReason.MISSING_VALUE;
    }
    int v = LineFields.VALUE;
    if (!value.read(f.bytes(v), f.from(v), f.to(v))) {
      return LineReason.NON_NUMERIC;
    }
    int q = LineFields.QUALITY;
    Quality quality = QualityText.read(f.bytes(q), f.from(q), f.to(q));
    if (quality == null) {
      return LineReason.BAD_QUALITY;
    }
    int id = LineFields.SENSOR_ID;
    return judged(f.bytes(id), f.from(id), f.to(id), quality);
  }

  private LineReason judged(byte[] id, int from, int to, Quality quality) {
    RejectReason refusal =
        ReadingRules.refusal(to - from, timestamp.value(), value.value(), maxIdBytes);
    if (refusal != null) {
      return LineReason.of(refusal);
    }
    if (timestamp.value() > latestMs && isBeyondLatest()) {
      return LineReason.FUTURE_TIMESTAMP;
    }
    reading = new Reading(ids.of(id, from, to), timestamp.value(), value.value(), quality);
    return null;
  }

  /** Asks again what the latest is: seldom, as it was late enough for all readings before. */
  private boolean isBeyondLatest() {
    latestMs = latestTimestampMs.getAsLong();
    return timestamp.value() > latestMs;
  }

  /** What the first timestamps look like. */
  UnitGuess units() {
    return units;
  }

  /** The reading of the fields judged last. */
  Reading reading() {
    return reading;
  }

  /**
   * A quality as text: a name of {@code weir.v1.Quality} with or without its prefix, or its number
   * of up to nine digits (one that is not listed is uncertain); nothing at all is good.
   */
  static final class QualityText {
    private static final int MAX_DIGITS = 9;

    private record Name(byte[] text, Quality quality) {
      Name(String text, Quality quality) {
        this(text.getBytes(StandardCharsets.US_ASCII), quality);
      }
    }

    private static final Name[] NAMES = {
      new Name("GOOD", Quality.GOOD),
      new Name("UNCERTAIN", Quality.UNCERTAIN),
      new Name("BAD", Quality.BAD),
      new Name("UNSPECIFIED", Quality.GOOD),
      new Name("QUALITY_GOOD", Quality.GOOD),
      new Name("QUALITY_UNCERTAIN", Quality.UNCERTAIN),
      new Name("QUALITY_BAD", Quality.BAD),
      new Name("QUALITY_UNSPECIFIED", Quality.GOOD),
    };

    private QualityText() {}

    /** The quality, or null where the text is none. */
    static Quality read(byte[] text, int from, int to) {
      if (from == to) {
        return Quality.GOOD;
      }
      for (Name name : NAMES) {
        if (Arrays.equals(name.text, 0, name.text.length, text, from, to)) {
          return name.quality;
        }
      }
      return to - from > MAX_DIGITS ? null : ofNumber(text, from, to);
    }

    private static Quality ofNumber(byte[] text, int from, int to) {
      int number = 0;
      for (int i = from; i < to; i++) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9) {
          return null;
        }
        number = number * 10 + digit;
      }
      return Quality.ofNumber(number);
    }
  }
}

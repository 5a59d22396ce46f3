package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.Set;

/**
 * InfluxDB's line protocol: a reading for each field that is a number, float, integer ({@code 1i})
 * or unsigned ({@code 1u}), and for each that is a boolean, as 1 and 0. Strings are passed over; a
 * line of nothing else is no reading. That is how Telegraf itself writes to targets that know
 * numbers only (its Graphite serializer).
 */
final class LineProtocolSplitter implements LineSplitter {
  private static final Set<String> TRUE = Set.of("t", "T", "true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("f", "F", "false", "False", "FALSE");
  private static final byte[] ONE = {'1'};
  private static final byte[] ZERO = {'0'};

  /** Stands for a value that is no number or a timestamp that is none, and is neither itself. */
  private static final byte[] NONE = {'?'};

  private final TextForm form;
  private final Point point = new Point();
  private final IntegerText integer = new IntegerText();
  private final ByteArrayOutputStream id = new ByteArrayOutputStream();
  private int field;
  private long passedOver;

  LineProtocolSplitter(TextForm form) {
    this.form = form;
  }

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    if (!point.scan(line, start, end)) {
      return LineReason.MALFORMED_LINE;
    }
    field = 0;
    if (!next(fields)) {
      fill(point.fields()[0], fields);
      set(LineFields.VALUE, NONE, fields);
    }
    return null;
  }

  @Override
  public boolean next(LineFields fields) {
    while (field < point.fields().length) {
      Point.Pair pair = point.fields()[field++];
      if (point.line()[pair.valueFrom()] != '"') {
        fill(pair, fields);
        return true;
      }
      passedOver++;
    }
    return false;
  }

  @Override
  public long passedOver() {
    return passedOver;
  }

  /** Blanks alone, or a comment. */
  @Override
  public boolean isSilent(byte[] line, int start, int end) {
    int at = start;
    while (at < end && line[at] == ' ') {
      at++;
    }
    return at == end || line[at] == '#';
  }

  private void fill(Point.Pair pair, LineFields fields) {
    id.reset();
    boolean named = form.sensorIds().write(point, pair, id);
    set(LineFields.SENSOR_ID, named ? id.toByteArray() : new byte[0], fields);
    fillTimestamp(fields);
    fillValue(pair.valueFrom(), pair.valueTo(), fields);
  }

  private void fillTimestamp(LineFields fields) {
    int from = point.timestampFrom();
    int to = point.timestampTo();
    if (from < to) {
      set(LineFields.TIMESTAMP, milliseconds(from, to), fields);
    }
  }

  private byte[] milliseconds(int from, int to) {
    if (!integer.read(point.line(), from, to)) {
      return NONE;
    }
    try {
      return Long.toString(form.unit().toMillis(integer.value())).getBytes(US_ASCII);
    } catch (ArithmeticException beyond64Bits) {
      return NONE;
    }
  }

  private void fillValue(int from, int to, LineFields fields) {
    byte[] line = point.line();
    int digitsEnd = to - 1;
    switch (line[digitsEnd]) {
      case 'i' -> {
        boolean fits = integer.read(line, from, digitsEnd);
        setNumber(fits, from, digitsEnd, fields);
      }
      case 'u' -> setNumber(isUnsigned(line, from, digitsEnd), from, digitsEnd, fields);
      default -> {
        if (Character.isLetter(line[from])) {
          set(LineFields.VALUE, wordValue(from, to), fields);
        } else {
          fields.set(LineFields.VALUE, line, from, to);
        }
      }
    }
  }

  private void setNumber(boolean isOne, int from, int to, LineFields fields) {
    if (isOne) {
      fields.set(LineFields.VALUE, point.line(), from, to);
    } else {
      set(LineFields.VALUE, NONE, fields);
    }
  }

  private static boolean isUnsigned(byte[] line, int from, int to) {
    try {
      Long.parseUnsignedLong(new String(line, from, to - from, US_ASCII));
      return line[from] != '+';
    } catch (NumberFormatException notOne) {
      return false;
    }
  }

  /** 1, 0, or the word itself, such as NaN. */
  private byte[] wordValue(int from, int to) {
    String word = new String(point.line(), from, to - from, US_ASCII);
    if (TRUE.contains(word)) {
      return ONE;
    }
    return FALSE.contains(word) ? ZERO : word.getBytes(US_ASCII);
  }

  private static void set(int field, byte[] text, LineFields fields) {
    fields.set(field, text, 0, text.length);
  }
}

package io.weir.internal.input.sparkplug;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.text.Utf8;
import io.weir.internal.wire.FieldReader;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Quality;
import java.util.Arrays;

/**
 * A metric of a payload, read in place. Data sets, templates and what properties contain beside the
 * quality are stepped over, however deep they are. Not thread-safe.
 */
final class Metric {
  static final int UNKNOWN_TYPE = 0;
  private static final int INT8 = 1;
  private static final int INT16 = 2;
  private static final int INT32 = 3;
  private static final int INT64 = 4;
  private static final int UINT8 = 5;
  private static final int UINT16 = 6;
  private static final int UINT32 = 7;
  private static final int UINT64 = 8;
  private static final int FLOAT = 9;
  private static final int DOUBLE = 10;
  private static final int BOOLEAN = 11;

  private static final int GOOD = 192;
  private static final int UNCERTAIN_FROM = 64;
  private static final int UNCERTAIN_TO = 127;
  private static final byte[] QUALITY = "Quality".getBytes(UTF_8);
  private static final int NOT_FOUND = -1;

  private byte[] body;
  private int nameFrom;
  private int nameTo;
  private boolean hasAlias;
  private long alias;
  private boolean hasTimestamp;
  private long timestampMs;
  private int type;
  private boolean historical;
  private boolean isNull;
  private Quality quality;
  private Kind kind;
  private long number;
  private double decimal;

  /** The field that has the value. */
  private enum Kind {
    NONE,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    /** No number. */
    OTHER
  }

  /** Reads a metric up to the reader's limit. */
  void read(byte[] bytes, FieldReader in) throws UndecodableException {
    body = bytes;
    nameFrom = 0;
    nameTo = 0;
    hasAlias = false;
    hasTimestamp = false;
    type = UNKNOWN_TYPE;
    historical = false;
    isNull = false;
    quality = Quality.GOOD;
    kind = Kind.NONE;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case 1 << 3 | Payload.DELIMITED -> {
          int length = in.length();
          nameFrom = in.position();
          nameTo = nameFrom + length;
          in.step(length);
        }
        case 2 << 3 | Payload.VARINT -> {
          alias = in.varint64();
          hasAlias = true;
        }
        case 3 << 3 | Payload.VARINT -> {
          timestampMs = in.varint64();
          hasTimestamp = true;
        }
        case 4 << 3 | Payload.VARINT -> type = in.varint32();
        case 5 << 3 | Payload.VARINT -> historical = in.varint64() != 0;
        case 7 << 3 | Payload.VARINT -> isNull = in.varint64() != 0;
        case 9 << 3 | Payload.DELIMITED -> properties(in);
        case 10 << 3 | Payload.VARINT -> integer(in.varint32());
        case 11 << 3 | Payload.VARINT -> integer(in.varint64());
        case 12 << 3 | Payload.FIXED32 -> decimal(Float.intBitsToFloat(in.fixed32()));
        case 13 << 3 | Payload.FIXED64 -> decimal(in.fixedDouble());
        case 14 << 3 | Payload.VARINT -> {
          kind = Kind.BOOLEAN;
          number = in.varint64() == 0 ? 0 : 1;
        }
        default -> {
          if (tag >>> 3 >= 15 && tag >>> 3 <= 19) {
            kind = Kind.OTHER;
          }
          in.skip(tag);
        }
      }
    }
  }

  private void integer(long value) {
    kind = Kind.INTEGER;
    number = value;
  }

  private void decimal(double value) {
    kind = Kind.DECIMAL;
    decimal = value;
  }

  /** Keys and values are two lists; a key belongs to the value at the same place. */
  private void properties(FieldReader in) throws UndecodableException {
    int outer = in.enter();
    int start = in.position();
    int place = NOT_FOUND;
    int keys = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == (1 << 3 | Payload.DELIMITED)) {
        int length = in.length();
        int from = in.position();
        in.step(length);
        if (place == NOT_FOUND
            && Arrays.equals(body, from, from + length, QUALITY, 0, QUALITY.length)) {
          place = keys;
        }
        keys++;
      } else {
        in.skip(tag);
      }
    }
    if (place != NOT_FOUND) {
      in.step(start - in.position());
      qualityAt(place, in);
    }
    in.leave(outer);
  }

  private void qualityAt(int place, FieldReader in) throws UndecodableException {
    int values = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == (2 << 3 | Payload.DELIMITED) && values++ == place) {
        int outer = in.enter();
        quality = propertyQuality(in);
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
  }

  private static Quality propertyQuality(FieldReader in) throws UndecodableException {
    long code = NOT_FOUND;
    boolean none = false;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case 2 << 3 | Payload.VARINT -> none = in.varint64() != 0;
        case 3 << 3 | Payload.VARINT -> code = in.varint32();
        case 4 << 3 | Payload.VARINT -> code = in.varint64();
        default -> in.skip(tag);
      }
    }
    if (none || code == GOOD) {
      return Quality.GOOD;
    }
    return code >= UNCERTAIN_FROM && code <= UNCERTAIN_TO ? Quality.UNCERTAIN : Quality.BAD;
  }

  boolean hasName() {
    return nameTo > nameFrom;
  }

  /** Null if it is not UTF-8. */
  String name() {
    return Utf8.isValid(body, nameFrom, nameTo)
        ? new String(body, nameFrom, nameTo - nameFrom, UTF_8)
        : null;
  }

  boolean hasAlias() {
    return hasAlias;
  }

  long alias() {
    return alias;
  }

  boolean hasTimestamp() {
    return hasTimestamp;
  }

  long timestampMs() {
    return timestampMs;
  }

  /** Of the value; {@link #UNKNOWN_TYPE} if the metric does not say it. */
  int type() {
    return type;
  }

  boolean isHistorical() {
    return historical;
  }

  boolean isNull() {
    return isNull;
  }

  Quality quality() {
    return quality;
  }

  /** The integer that it has; 0 for none. */
  long number() {
    return kind == Kind.INTEGER ? number : 0;
  }

  boolean isInteger() {
    return kind == Kind.INTEGER;
  }

  boolean hasValue() {
    return kind != Kind.NONE;
  }

  /** Whether a type, or without one the value, is a number or a boolean. */
  boolean isNumeric(int dataType) {
    return dataType == UNKNOWN_TYPE ? kind != Kind.OTHER : dataType > 0 && dataType <= BOOLEAN;
  }

  /** Whether the value's field is one of the type. */
  boolean fits(int dataType) {
    return switch (kind) {
      case INTEGER -> dataType >= INT8 && dataType <= UINT64;
      case DECIMAL -> dataType == UNKNOWN_TYPE || dataType == FLOAT || dataType == DOUBLE;
      case BOOLEAN -> dataType == UNKNOWN_TYPE || dataType == BOOLEAN;
      default -> false;
    };
  }

  /** An integer is cut to its width; senders extend the sign of a negative one, or do not. */
  double value(int dataType) {
    return switch (dataType) {
      case INT8 -> (byte) number;
      case INT16 -> (short) number;
      case INT32 -> (int) number;
      case INT64 -> number;
      case UINT8 -> number & 0xff;
      case UINT16 -> number & 0xffff;
      case UINT32 -> number & 0xffffffffL;
      case UINT64 -> number >= 0 ? number : 2.0 * (number >>> 1 | number & 1);
      default -> kind == Kind.BOOLEAN ? number : decimal;
    };
  }
}

package io.weir.internal.sink;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.weir.internal.sink.RejectedException.Reason;
import java.nio.charset.StandardCharsets;

/** Rejects values that PostgreSQL cannot store. Methods return their argument. */
final class Checks {
  /** A row of a B-tree has at most 2,704 bytes. */
  private static final int MAX_KEY_BYTES = 2_000;

  private static final long MIN_TIME_MS = -62_135_596_800_000L;
  private static final long MAX_TIME_MS = 253_402_300_799_999L;

  private Checks() {}

  static String key(String what, String text) throws RejectedException {
    if (text.isEmpty()) {
      throw new RejectedException(Reason.UNDECODABLE, what + " is empty");
    }
    if (text.length() > MAX_KEY_BYTES / 3
        && text.getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
      throw new RejectedException(
          Reason.KEY_TOO_LONG, what + " has more than " + MAX_KEY_BYTES + " bytes");
    }
    return text(what, text);
  }

  static String text(String what, String text) throws RejectedException {
    if (text.indexOf('\0') >= 0) {
      throw new RejectedException(Reason.NUL_IN_TEXT, what + " has the character U+0000");
    }
    return text;
  }

  /** As a string of JSON. */
  static String json(String what, String text) throws RejectedException {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text(what, text))) + '"';
  }

  static long time(String what, long ms) throws RejectedException {
    if (ms < MIN_TIME_MS || ms > MAX_TIME_MS) {
      throw new RejectedException(
          Reason.TIME_OUT_OF_RANGE, what + " = " + ms + " is not in the years 1 to 9999");
    }
    return ms;
  }

  static long count(String what, long unsigned) throws RejectedException {
    if (unsigned < 0) {
      throw new RejectedException(
          Reason.COUNT_OUT_OF_RANGE, what + " = " + Long.toUnsignedString(unsigned));
    }
    return unsigned;
  }
}

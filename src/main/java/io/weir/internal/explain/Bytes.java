package io.weir.internal.explain;

import io.weir.reading.Quality;
import io.weir.v1.Reading;

/** Comparisons of bytes and readings. */
final class Bytes {
  private Bytes() {}

  /** Whether a value has some bytes in it. */
  static boolean contain(byte[] value, byte[] part) {
    if (value == null) {
      return false;
    }
    int last = value.length - part.length;
    for (int i = 0; i <= last; i++) {
      if (value[i] == part[0]) {
        int same = 1;
        while (same < part.length && value[i + same] == part[same]) {
          same++;
        }
        if (same == part.length) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether two readings are the same, whatever form they were sent in. */
  static boolean isSame(Reading one, Reading other) {
    return one.getTimestampMs() == other.getTimestampMs()
        && Double.doubleToRawLongBits(one.getValue())
            == Double.doubleToRawLongBits(other.getValue())
        && Quality.ofNumber(one.getQualityValue()) == Quality.ofNumber(other.getQualityValue())
        && one.getSensorId().equals(other.getSensorId());
  }
}

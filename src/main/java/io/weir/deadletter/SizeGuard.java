package io.weir.deadletter;

import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Keeps records within what the broker takes: one that is too large would abort the transaction,
 * and come again after every restart. Value first, then key, is cut to what fits, and {@link
 * DeadLetterHeaders#SIZE} tells how large they were.
 */
public final class SizeGuard {
  /** What a record batch and a record cost beside key, value and headers, at the most. */
  private static final int OVERHEAD = 160;

  private final int maxRecordBytes;

  /**
   * @param maxRecordBytes the topic's {@code max.message.bytes}
   */
  public SizeGuard(int maxRecordBytes) {
    this.maxRecordBytes = maxRecordBytes;
  }

  /** A key and a value that fit together with their headers. */
  public record Fitting(byte[] key, byte[] value) {}

  /** How large a value may be beside a key and headers. */
  public int roomForValue(byte[] key, Headers headers) {
    return Math.max(0, maxRecordBytes - OVERHEAD - lengthOf(key) - lengthOf(headers));
  }

  /** Cuts what does not fit; adds the size header if so. */
  public Fitting fit(byte[] key, byte[] value, Headers headers) {
    if (lengthOf(value) <= roomForValue(key, headers)) {
      return new Fitting(key, value);
    }
    DeadLetterHeaders.add(
        headers, DeadLetterHeaders.SIZE, String.valueOf((long) lengthOf(key) + lengthOf(value)));
    byte[] shortKey = cut(key, Math.min(lengthOf(key), roomForValue(null, headers) / 2));
    return new Fitting(shortKey, cut(value, roomForValue(shortKey, headers)));
  }

  private static byte[] cut(byte[] bytes, int length) {
    return bytes == null || bytes.length <= length ? bytes : Arrays.copyOf(bytes, length);
  }

  private static int lengthOf(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static int lengthOf(Headers headers) {
    int length = 0;
    for (Header header : headers) {
      length += 2 * 5 + header.key().length() + lengthOf(header.value());
    }
    return length;
  }
}

package io.weir.internal.deadletter;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Utils;

/**
 * Limits records to the size that the broker accepts: a larger one would abort the transaction,
 * again after every restart. A key has at most {@value #MAX_KEY_BYTES} bytes, because a longer one
 * would leave no room for values, and so multiply dead letters. The value, then the key, is
 * truncated to fit, and {@link DeadLetterHeaders#SIZE} has their original sizes. If the headers
 * alone are too large, only those with origin and reason are written, and the one by which a
 * redrive knows records of other programs.
 */
public final class SizeGuard {
  /** Longer keys are truncated: the headers of a dead letter have the same information. */
  public static final int MAX_KEY_BYTES = 1024;

  /** Maximum overhead of a record batch and a record without key, value and headers. */
  private static final int OVERHEAD = 160;

  /** Maximum bytes of the two lengths of a header, which even an empty one has. */
  private static final int HEADER_OVERHEAD = 2 * 5;

  private static final Set<String> KEPT_HEADERS =
      Set.of(
          DeadLetterHeaders.TOPIC,
          DeadLetterHeaders.PARTITION,
          DeadLetterHeaders.OFFSET,
          DeadLetterHeaders.REASON,
          DeadLetterHeaders.LIFE,
          DeadLetterHeaders.TOPIC_ID,
          DeadLetterHeaders.IMPORT_REFUSED);

  /** Bound of the growth of incompressible data under compression: that of gzip, the largest. */
  private static final int COMPRESSION_PART = 1024;

  private final int maxRecordBytes;

  /**
   * @param maxRecordBytes the topic's {@code max.message.bytes}
   */
  public SizeGuard(int maxRecordBytes) {
    this.maxRecordBytes = maxRecordBytes;
  }

  /** A key and a value that fit with their headers. */
  public record Fitting(byte[] key, byte[] value) {}

  /** Maximum size of a value with this key and headers. */
  public int roomForValue(byte[] key, Headers headers) {
    return Math.max(0, room(headers) - Math.min(MAX_KEY_BYTES, lengthOf(key)));
  }

  /**
   * Truncates value and key to fit; adds the size header if the value was truncated, or the key to
   * make room.
   */
  public Fitting fit(byte[] key, byte[] value, Headers headers) {
    if (room(headers) < 0) {
      leaveOut(headers);
    }
    byte[] boundedKey = cut(key, MAX_KEY_BYTES);
    if ((long) lengthOf(boundedKey) + lengthOf(value) <= room(headers)) {
      return new Fitting(boundedKey, value);
    }
    long length = (long) lengthOf(key) + lengthOf(value);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.SIZE, String.valueOf(length));
    byte[] shortKey = cut(boundedKey, Math.max(0, room(headers)) / 2);
    return new Fitting(shortKey, cut(value, roomForValue(shortKey, headers)));
  }

  private static void leaveOut(Headers headers) {
    Set<String> names = new HashSet<>();
    headers.forEach(header -> names.add(header.key()));
    names.removeAll(KEPT_HEADERS);
    names.forEach(headers::remove);
  }

  /** Maximum size of key and value together; negative if the headers alone are too large. */
  private int room(Headers headers) {
    return maxRecordBytes - maxRecordBytes / COMPRESSION_PART - OVERHEAD - lengthOf(headers);
  }

  private static byte[] cut(byte[] bytes, int length) {
    return bytes == null || bytes.length <= length ? bytes : Arrays.copyOf(bytes, length);
  }

  private static int lengthOf(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** Maximum size of headers in a record. */
  public static int lengthOf(Headers headers) {
    int length = 0;
    for (Header header : headers) {
      length += HEADER_OVERHEAD + Utils.utf8Length(header.key()) + lengthOf(header.value());
    }
    return length;
  }
}

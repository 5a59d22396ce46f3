package io.weir.deadletter;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Utils;

/**
 * Keeps records within what the broker takes: one that is too large would abort the transaction,
 * and come again after every restart. Of a key {@value #MAX_KEY_BYTES} bytes go on: a longer one
 * would leave no room, and so multiply letters. Value first, then key, is cut to what fits, and
 * {@link DeadLetterHeaders#SIZE} holds their original sizes. Headers that are too large by
 * themselves are left out but for those that say where the record came from and why it is here.
 */
public final class SizeGuard {
  /** Longer keys are cut: a sender's key says nothing that a letter's headers do not. */
  public static final int MAX_KEY_BYTES = 1024;

  /** What a record batch and a record cost beside key, value and headers, at the most. */
  private static final int OVERHEAD = 160;

  /** What the two lengths of a header take, at the most: one without a byte takes them too. */
  private static final int HEADER_OVERHEAD = 2 * 5;

  private static final Set<String> KEPT_HEADERS =
      Set.of(
          DeadLetterHeaders.TOPIC,
          DeadLetterHeaders.PARTITION,
          DeadLetterHeaders.OFFSET,
          DeadLetterHeaders.REASON);

  /** Noise grows under compression, by less than this part of it: what gzip, the worst, adds. */
  private static final int COMPRESSION_PART = 1024;

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
    return Math.max(0, room(headers) - Math.min(MAX_KEY_BYTES, lengthOf(key)));
  }

  /** Cuts what does not fit; adds the size header if a value was cut, or a key to make room. */
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

  /** What key and value may have together; negative where the headers alone are too large. */
  private int room(Headers headers) {
    return maxRecordBytes - maxRecordBytes / COMPRESSION_PART - OVERHEAD - lengthOf(headers);
  }

  private static byte[] cut(byte[] bytes, int length) {
    return bytes == null || bytes.length <= length ? bytes : Arrays.copyOf(bytes, length);
  }

  private static int lengthOf(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** What headers take in a record, at the most. */
  public static int lengthOf(Headers headers) {
    int length = 0;
    for (Header header : headers) {
      length += HEADER_OVERHEAD + Utils.utf8Length(header.key()) + lengthOf(header.value());
    }
    return length;
  }
}

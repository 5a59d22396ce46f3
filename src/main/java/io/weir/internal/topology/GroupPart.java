package io.weir.internal.topology;

import io.weir.internal.group.SensorPart;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.WindowSummary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A part of a group's window on its way from the sensor's partition to the group's: the sensor's
 * summary with nothing but what a group takes of it, bare, under the group as key, with the name of
 * the application that wrote it in the header {@value #APPLICATION}.
 *
 * <p>Where a task of parts missed summaries, it tells all groups so: an empty record to each
 * partition, with the same header and {@value #DELETED_BEFORE}.
 */
final class GroupPart {
  static final String APPLICATION = "weir.application";

  /** Append time of the first summary that was left, in milliseconds, 8 bytes big-endian. */
  static final String DELETED_BEFORE = "weir.deleted-before";

  static final byte[] EMPTY = {};

  private GroupPart() {}

  /**
   * The summary in a value, which is as a group can take it.
   *
   * @throws UndecodableException if it is none
   */
  static WindowSummary read(byte[] value, int mostIdBytes) throws UndecodableException {
    WindowSummary summary = Protobuf.framed(WindowSummary.getDefaultInstance(), value);
    int idBytes = summary.getSensorIdBytes().size();
    boolean isWhole =
        idBytes > 0
            && idBytes <= mostIdBytes
            && summary.getWindowStartMs() < summary.getWindowEndMs()
            && summary.getCount() >= 0
            && summary.getBadCount() >= 0
            && !Double.isNaN(summary.getSum())
            && Double.isFinite(summary.getMin())
            && Double.isFinite(summary.getMax())
            && summary.getSumRestList().stream().allMatch(Double::isFinite);
    if (!isWhole) {
      throw UndecodableException.malformed("a summary of a window that Weir does not write");
    }
    return summary;
  }

  /** What a group takes of a summary. */
  static byte[] write(WindowSummary summary) {
    return WindowSummary.newBuilder()
        .setSensorId(summary.getSensorId())
        .setWindowStartMs(summary.getWindowStartMs())
        .setWindowEndMs(summary.getWindowEndMs())
        .setCount(summary.getCount())
        .setSum(summary.getSum())
        .addAllSumRest(summary.getSumRestList())
        .setMin(summary.getMin())
        .setMax(summary.getMax())
        .setBadCount(summary.getBadCount())
        .setRevision(summary.getRevision())
        .build()
        .toByteArray();
  }

  static void mark(Headers headers, String applicationId) {
    headers.add(APPLICATION, applicationId.getBytes(StandardCharsets.UTF_8));
  }

  static boolean isOf(String applicationId, Headers headers) {
    Header header = headers.lastHeader(APPLICATION);
    return header != null
        && Arrays.equals(header.value(), applicationId.getBytes(StandardCharsets.UTF_8));
  }

  static void markDeletedBefore(Headers headers, long appendMs) {
    headers.add(DELETED_BEFORE, ByteBuffer.allocate(Long.BYTES).putLong(appendMs).array());
  }

  /** Before when summaries were deleted unread; empty if a record is a part. */
  static OptionalLong deletedBeforeMs(byte[] value, Headers headers) {
    Header header = headers.lastHeader(DELETED_BEFORE);
    boolean isMark = value.length == 0 && header != null && header.value() != null;
    return isMark && header.value().length == Long.BYTES
        ? OptionalLong.of(ByteBuffer.wrap(header.value()).getLong())
        : OptionalLong.empty();
  }

  static SensorPart of(WindowSummary summary) {
    return new SensorPart(
        summary.getCount(),
        summary.getBadCount(),
        summary.getSum(),
        summary.getSumRestList().stream().mapToDouble(Double::doubleValue).toArray(),
        summary.getMin(),
        summary.getMax());
  }
}

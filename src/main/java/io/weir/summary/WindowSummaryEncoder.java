package io.weir.summary;

import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Window;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.util.Arrays;

/** Writes a {@code weir.v1.WindowSummary} without message objects. Stateless. */
public final class WindowSummaryEncoder {
  /** Maximum size of all fields except sensor id and statistics. */
  private static final int MOST_BYTES = 128;

  private WindowSummaryEncoder() {}

  /**
   * The bytes of a summary.
   *
   * @param sensorId UTF-8
   * @param endMs the first millisecond after the window
   */
  public static byte[] encode(byte[] sensorId, Window window, long endMs, CloseReason reason) {
    return encode(sensorId, window.startMs(), endMs, window.revision(), window, reason);
  }

  /**
   * The bytes of a summary of any span.
   *
   * @param sensorId UTF-8
   * @param endMs the first millisecond after it
   */
  public static byte[] encode(
      byte[] sensorId,
      long startMs,
      long endMs,
      int revision,
      Aggregate values,
      CloseReason reason) {
    Statistics statistics = values.count() > 0 ? values.statistics() : null;
    int statisticsBytes = statistics == null ? 0 : StatisticsEncoder.mostBytes(statistics);
    byte[] buffer = new byte[MOST_BYTES + sensorId.length + statisticsBytes];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      out.writeByteArray(WindowSummary.SENSOR_ID_FIELD_NUMBER, sensorId);
      out.writeInt64(WindowSummary.WINDOW_START_MS_FIELD_NUMBER, startMs);
      out.writeInt64(WindowSummary.WINDOW_END_MS_FIELD_NUMBER, endMs);
      if (values.count() > 0) {
        out.writeUInt64(WindowSummary.COUNT_FIELD_NUMBER, values.count());
        out.writeDouble(WindowSummary.SUM_FIELD_NUMBER, values.sum());
        out.writeDouble(WindowSummary.MIN_FIELD_NUMBER, values.min());
        out.writeDouble(WindowSummary.MAX_FIELD_NUMBER, values.max());
      }
      if (revision > 0) {
        out.writeUInt32(WindowSummary.REVISION_FIELD_NUMBER, revision);
      }
      out.writeEnum(WindowSummary.CLOSE_REASON_FIELD_NUMBER, reason.number());
      if (values.badCount() > 0) {
        out.writeUInt64(WindowSummary.BAD_COUNT_FIELD_NUMBER, values.badCount());
      }
      if (statistics != null) {
        StatisticsEncoder.write(values, statistics, out);
      }
      if (reason.isFinal()) {
        out.writeBool(WindowSummary.IS_FINAL_FIELD_NUMBER, true);
      }
      if (statistics != null && statistics.has(StatisticSet.SUM_REST)) {
        StatisticsEncoder.writeRest(values.sumRest(), out);
      }
      if (values.count() > 0) {
        out.writeDouble(WindowSummary.MEAN_FIELD_NUMBER, values.mean());
      }
      if (statistics != null) {
        StatisticsEncoder.writeDerived(values, statistics, out);
      }
      return Arrays.copyOf(buffer, out.getTotalBytesWritten());
    } catch (IOException e) {
      throw new IllegalStateException("writing an array failed", e);
    }
  }
}

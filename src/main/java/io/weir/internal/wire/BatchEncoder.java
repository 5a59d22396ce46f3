package io.weir.internal.wire;

import static com.google.protobuf.CodedOutputStream.computeBoolSize;
import static com.google.protobuf.CodedOutputStream.computeFixed64Size;
import static com.google.protobuf.CodedOutputStream.computeInt64Size;
import static com.google.protobuf.CodedOutputStream.computeStringSize;
import static com.google.protobuf.CodedOutputStream.computeUInt32SizeNoTag;
import static com.google.protobuf.CodedOutputStream.computeUInt64Size;
import static io.weir.v1.ReadingBatch.BOOT_ID_FIELD_NUMBER;
import static io.weir.v1.ReadingBatch.COMPLETE_FIELD_NUMBER;
import static io.weir.v1.ReadingBatch.GATEWAY_ID_FIELD_NUMBER;
import static io.weir.v1.ReadingBatch.ORDERED_FIELD_NUMBER;
import static io.weir.v1.ReadingBatch.SEQUENCE_FIELD_NUMBER;
import static io.weir.v1.ReadingBatch.SERIES_FIELD_NUMBER;
import static io.weir.v1.Series.QUALITY_FIELD_NUMBER;
import static io.weir.v1.Series.SENSOR_ID_FIELD_NUMBER;
import static io.weir.v1.Series.START_TIMESTAMP_MS_FIELD_NUMBER;
import static io.weir.v1.Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER;
import static io.weir.v1.Series.VALUE_FIELD_NUMBER;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.weir.v1.Completeness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Encodes readings as a {@code weir.v1.ReadingBatch} in columnar form, without message objects:
 * computes the sizes first, then writes into an array of that size. The readings of a sensor keep
 * their order. Not thread-safe; it reuses its working arrays.
 */
public final class BatchEncoder {
  /** Four times tag, length and number of a field of at most ten bytes, and a reserve. */
  private static final int MOST_BYTES_BESIDE_ID = 64;

  private final SeriesGrouping grouping = new SeriesGrouping();
  private int[] seriesBytes = new int[0];

  /** Upper bound of the bytes that a reading adds to a batch. */
  public static int mostBytesOfReading(int idBytes) {
    return MOST_BYTES_BESIDE_ID + idBytes;
  }

  /** Upper bound of the bytes that an entry of {@code complete} adds to a batch. */
  public static int mostBytesOfEntry(int idBytes) {
    return MOST_BYTES_BESIDE_ID / 2 + idBytes;
  }

  /** Upper bound of a batch's bytes besides its readings and entries of {@code complete}. */
  public static int mostBytesOfHeader(int gatewayIdBytes) {
    return MOST_BYTES_BESIDE_ID + gatewayIdBytes;
  }

  /**
   * The bytes of a batch of these readings.
   *
   * @param gatewayId the gateway; may be empty if {@code bootId} is 0
   * @param bootId the publisher's start; 0 if the batch is not sequenced
   * @param sequence from 1; 0 without a boot id
   */
  public byte[] encode(String gatewayId, long bootId, long sequence, BatchColumns columns) {
    return encode(gatewayId, bootId, sequence, columns, BatchCompleteness.NONE);
  }

  /** The bytes of a batch of these readings with attestations. */
  public byte[] encode(
      String gatewayId,
      long bootId,
      long sequence,
      BatchColumns columns,
      BatchCompleteness completeness) {
    grouping.group(columns);
    byte[] bytes =
        new byte
            [headerBytes(gatewayId, bootId, sequence)
                + bytesOfAllSeries(columns)
                + bytesOf(completeness)];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writeHeader(out, gatewayId, bootId, sequence);
      for (int series = 0; series < grouping.count(); series++) {
        writeSeries(out, columns, series);
      }
      write(out, completeness);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the computed size did not fit", e);
    }
    return bytes;
  }

  private static int headerBytes(String gatewayId, long bootId, long sequence) {
    return (gatewayId.isEmpty() ? 0 : computeStringSize(GATEWAY_ID_FIELD_NUMBER, gatewayId))
        + (bootId == 0 ? 0 : computeFixed64Size(BOOT_ID_FIELD_NUMBER, bootId))
        + (sequence == 0 ? 0 : computeUInt64Size(SEQUENCE_FIELD_NUMBER, sequence));
  }

  private static void writeHeader(
      CodedOutputStream out, String gatewayId, long bootId, long sequence) throws IOException {
    if (!gatewayId.isEmpty()) {
      out.writeString(GATEWAY_ID_FIELD_NUMBER, gatewayId);
    }
    if (bootId != 0) {
      out.writeFixed64(BOOT_ID_FIELD_NUMBER, bootId);
    }
    if (sequence != 0) {
      out.writeUInt64(SEQUENCE_FIELD_NUMBER, sequence);
    }
  }

  private int bytesOfAllSeries(BatchColumns columns) {
    if (seriesBytes.length < grouping.count()) {
      seriesBytes = new int[grouping.count()];
    }
    int total = 0;
    for (int series = 0; series < grouping.count(); series++) {
      seriesBytes[series] = bytesOfSeries(columns, series);
      total += bytesOfDelimited(seriesBytes[series]);
    }
    return total;
  }

  private int bytesOfSeries(BatchColumns columns, int series) {
    int first = grouping.firstReading(series);
    String id = columns.sensorId(first);
    long startMs = columns.timestampMs(first);
    return (id.isEmpty() ? 0 : computeStringSize(SENSOR_ID_FIELD_NUMBER, id))
        + (startMs == 0 ? 0 : computeInt64Size(START_TIMESTAMP_MS_FIELD_NUMBER, startMs))
        + bytesOfDelimited(grouping.deltaBytes(series))
        + bytesOfDelimited(grouping.readings(series) * Double.BYTES)
        + (grouping.allGood(series) ? 0 : bytesOfDelimited(grouping.readings(series)));
  }

  /** Tag (every field number is below 16), length and content. */
  private static int bytesOfDelimited(int contentBytes) {
    return 1 + computeUInt32SizeNoTag(contentBytes) + contentBytes;
  }

  private void writeSeries(CodedOutputStream out, BatchColumns columns, int series)
      throws IOException {
    int first = grouping.firstReading(series);
    startDelimited(out, SERIES_FIELD_NUMBER, seriesBytes[series]);
    if (!columns.sensorId(first).isEmpty()) {
      out.writeString(SENSOR_ID_FIELD_NUMBER, columns.sensorId(first));
    }
    if (columns.timestampMs(first) != 0) {
      out.writeInt64(START_TIMESTAMP_MS_FIELD_NUMBER, columns.timestampMs(first));
    }
    startDelimited(out, TIMESTAMP_DELTA_MS_FIELD_NUMBER, grouping.deltaBytes(series));
    for (int i = first; i != SeriesGrouping.END; i = grouping.nextReading(i)) {
      out.writeSInt64NoTag(grouping.deltaMs(i));
    }
    startDelimited(out, VALUE_FIELD_NUMBER, grouping.readings(series) * Double.BYTES);
    for (int i = first; i != SeriesGrouping.END; i = grouping.nextReading(i)) {
      out.writeDoubleNoTag(columns.value(i));
    }
    if (!grouping.allGood(series)) {
      startDelimited(out, QUALITY_FIELD_NUMBER, grouping.readings(series));
      for (int i = first; i != SeriesGrouping.END; i = grouping.nextReading(i)) {
        out.writeEnumNoTag(columns.qualityNumber(i));
      }
    }
  }

  private static int bytesOf(BatchCompleteness completeness) {
    int total = completeness.ordered() ? computeBoolSize(ORDERED_FIELD_NUMBER, true) : 0;
    for (Map.Entry<String, Long> entry : completeness.throughMs().entrySet()) {
      total += bytesOfDelimited(bytesOfEntry(entry));
    }
    return total;
  }

  private static int bytesOfEntry(Map.Entry<String, Long> entry) {
    return computeStringSize(Completeness.SENSOR_ID_FIELD_NUMBER, entry.getKey())
        + computeInt64Size(Completeness.THROUGH_MS_FIELD_NUMBER, entry.getValue());
  }

  private static void write(CodedOutputStream out, BatchCompleteness completeness)
      throws IOException {
    for (Map.Entry<String, Long> entry : completeness.throughMs().entrySet()) {
      startDelimited(out, COMPLETE_FIELD_NUMBER, bytesOfEntry(entry));
      out.writeString(Completeness.SENSOR_ID_FIELD_NUMBER, entry.getKey());
      out.writeInt64(Completeness.THROUGH_MS_FIELD_NUMBER, entry.getValue());
    }
    if (completeness.ordered()) {
      out.writeBool(ORDERED_FIELD_NUMBER, true);
    }
  }

  private static void startDelimited(CodedOutputStream out, int field, int contentBytes)
      throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(contentBytes);
  }
}

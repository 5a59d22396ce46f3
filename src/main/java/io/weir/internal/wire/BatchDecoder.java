package io.weir.internal.wire;

import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.weir.reading.IdBytes;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;

/**
 * Decodes a {@code weir.v1.ReadingBatch} straight into columns, without message objects. Accepts
 * the same bytes as protobuf-java when it discards unknown fields: any order of fields, packed or
 * not, unknown fields skipped, the last of a repeated singular field, ids that are UTF-8. The
 * limits bound its memory for any bytes. Not thread-safe; a stream thread shares one among its
 * tasks.
 */
public final class BatchDecoder {
  private final Limits limits;
  private final FieldReader in = new FieldReader();
  private final ReadingColumns columns = new ReadingColumns();
  private final SeriesDecoder series;

  private byte[] record;

  /** Offset of the last text in the record. */
  private int textOffset;

  private int textLength;

  public BatchDecoder(Limits limits) {
    this.limits = limits;
    this.series = new SeriesDecoder(limits, in, columns);
  }

  /**
   * Decodes a record's value, bare or framed.
   *
   * @return columns that stay valid until the next call
   * @throws UndecodableException if it is not a batch within the limits
   */
  public ReadingColumns decode(byte[] value) throws UndecodableException {
    if (value == null) {
      throw UndecodableException.malformed("the value is null");
    }
    if (value.length > limits.maxRecordBytes()) {
      throw UndecodableException.malformed(
          "record of " + value.length + " bytes; expected: at most " + limits.maxRecordBytes());
    }
    record = value;
    in.start(value, Frame.payloadOffset(value));
    columns.start(value);
    try {
      decodeBatch();
      return columns;
    } finally {
      record = null;
    }
  }

  private void decodeBatch() throws UndecodableException {
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case ReadingBatch.GATEWAY_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          readText();
          columns.gateway(textOffset, textLength);
        }
        case ReadingBatch.BOOT_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 ->
            columns.bootId(in.fixed64());
        case ReadingBatch.SEQUENCE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            columns.sequence(in.varint64());
        case ReadingBatch.READINGS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            decodeRow();
        case ReadingBatch.SERIES_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            decodeSeries();
        case ReadingBatch.COMPLETE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            decodeCompleteness();
        case ReadingBatch.ORDERED_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            columns.attestations().ordered(in.varint64() != 0);
        default -> in.skip(tag);
      }
    }
  }

  private void decodeRow() throws UndecodableException {
    requireRoom(columns.readings() + columns.attestations().size());
    requireRoom(columns.runs());
    int outer = in.enter();
    int idOffset = 0;
    int idLength = 0;
    long timestampMs = 0;
    double value = 0;
    int quality = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case Reading.SENSOR_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          readText();
          idOffset = textOffset;
          idLength = textLength;
        }
        case Reading.TIMESTAMP_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            timestampMs = in.varint64();
        case Reading.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 ->
            value = in.fixedDouble();
        case Reading.QUALITY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            quality = in.varint32();
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
    columns.row(idOffset, idLength, timestampMs, value, quality);
  }

  private void decodeSeries() throws UndecodableException {
    requireRoom(columns.runs());
    int outer = in.enter();
    series.start();
    int idOffset = 0;
    int idLength = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag
          == (io.weir.v1.Series.SENSOR_ID_FIELD_NUMBER << 3
              | WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
        readText();
        idOffset = textOffset;
        idLength = textLength;
      } else if (!series.field(tag)) {
        in.skip(tag);
      }
    }
    in.leave(outer);
    series.end(idOffset, idLength);
  }

  private void decodeCompleteness() throws UndecodableException {
    requireRoom(columns.readings() + columns.attestations().size());
    int outer = in.enter();
    int idOffset = 0;
    int idLength = 0;
    long throughMs = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case Completeness.SENSOR_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          readText();
          idOffset = textOffset;
          idLength = textLength;
        }
        case Completeness.THROUGH_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            throughMs = in.varint64();
        default -> in.skip(tag);
      }
    }
    in.leave(outer);
    columns.attestations().add(idOffset, idLength, throughMs);
  }

  private void readText() throws UndecodableException {
    textLength = in.length();
    textOffset = in.position();
    in.step(textLength);
    if (!IdBytes.isAscii(record, textOffset, textLength)
        && !UnsafeByteOperations.unsafeWrap(record, textOffset, textLength).isValidUtf8()) {
      throw UndecodableException.malformed("not protobuf: an id is not UTF-8");
    }
  }

  /** The limit of readings also bounds runs: else series without readings would be unlimited. */
  private void requireRoom(int used) throws UndecodableException {
    if (used >= limits.maxBatchReadings()) {
      throw tooLong(limits);
    }
  }

  static UndecodableException tooLong(Limits limits) {
    return UndecodableException.malformed(
        "more than the "
            + limits.maxBatchReadings()
            + " readings, series or entries of complete allowed in a batch");
  }
}

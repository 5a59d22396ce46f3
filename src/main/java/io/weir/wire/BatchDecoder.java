package io.weir.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.IOException;

/**
 * Decodes a {@code weir.v1.ReadingBatch} straight into columns, without message objects. Takes what
 * protobuf-java takes when it discards unknown fields: any order of fields, packed or not, unknown
 * fields skipped, the last of a repeated singular field, ids that are UTF-8. Memory is bounded by
 * the limits whatever the bytes claim. Not safe for several threads.
 */
public final class BatchDecoder {
  private static final int MAX_DEPTH = 16;

  private final Limits limits;
  private final ReadingColumns columns = new ReadingColumns();
  private final SeriesDecoder series;

  private byte[] record;
  private CodedInputStream in;
  private int payloadOffset;

  /** Where the last text read lies in the record. */
  private int textOffset;

  private int textLength;

  public BatchDecoder(Limits limits) {
    this.limits = limits;
    this.series = new SeriesDecoder(limits);
  }

  /**
   * Decodes a record's value, bare or framed.
   *
   * @return columns that stay valid until the next call
   * @throws UndecodableException if it is no batch within the limits
   */
  public ReadingColumns decode(byte[] value) throws UndecodableException {
    if (value == null) {
      throw UndecodableException.malformed("no value");
    }
    if (value.length > limits.maxRecordBytes()) {
      throw UndecodableException.malformed(
          "record of " + value.length + " bytes, allowed " + limits.maxRecordBytes());
    }
    record = value;
    payloadOffset = Frame.payloadOffset(value);
    in = CodedInputStream.newInstance(value, payloadOffset, value.length - payloadOffset);
    in.setRecursionLimit(MAX_DEPTH);
    columns.start(value);
    try {
      decodeBatch();
      return columns;
    } catch (InvalidProtocolBufferException e) {
      throw UndecodableException.malformed("not protobuf: " + e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("reading an array failed", e);
    } finally {
      record = null;
      in = null;
    }
  }

  private void decodeBatch() throws IOException, UndecodableException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case ReadingBatch.GATEWAY_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          readText();
          columns.gateway(textOffset, textLength);
        }
        case ReadingBatch.BOOT_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 ->
            columns.bootId(in.readFixed64());
        case ReadingBatch.SEQUENCE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            columns.sequence(in.readUInt64());
        case ReadingBatch.READINGS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            decodeRow();
        case ReadingBatch.SERIES_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            decodeSeries();
        default -> skip(tag);
      }
    }
  }

  private void decodeRow() throws IOException, UndecodableException {
    if (columns.readings() >= limits.maxBatchReadings()) {
      throw tooLong(limits);
    }
    int end = in.pushLimit(in.readRawVarint32());
    int idOffset = 0;
    int idLength = 0;
    long timestampMs = 0;
    double value = 0;
    int quality = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case Reading.SENSOR_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          readText();
          idOffset = textOffset;
          idLength = textLength;
        }
        case Reading.TIMESTAMP_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            timestampMs = in.readInt64();
        case Reading.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 ->
            value = in.readDouble();
        case Reading.QUALITY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            quality = in.readEnum();
        default -> skip(tag);
      }
    }
    in.popLimit(end);
    columns.row(idOffset, idLength, timestampMs, value, quality);
  }

  private void decodeSeries() throws IOException, UndecodableException {
    int end = in.pushLimit(in.readRawVarint32());
    series.start(columns);
    int idOffset = 0;
    int idLength = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag
          == (io.weir.v1.Series.SENSOR_ID_FIELD_NUMBER << 3
              | WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
        readText();
        idOffset = textOffset;
        idLength = textLength;
      } else if (!series.field(tag, in)) {
        skip(tag);
      }
    }
    in.popLimit(end);
    series.end(idOffset, idLength);
  }

  private void skip(int tag) throws IOException, UndecodableException {
    if (!in.skipField(tag)) {
      throw UndecodableException.malformed("not protobuf: a group ends that never began");
    }
  }

  private void readText() throws IOException, UndecodableException {
    textLength = in.readRawVarint32();
    textOffset = payloadOffset + in.getTotalBytesRead();
    in.skipRawBytes(textLength);
    if (!isUtf8(textOffset, textLength)) {
      throw UndecodableException.malformed("not protobuf: an id is not UTF-8");
    }
  }

  private boolean isUtf8(int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (record[i] < 0) {
        return UnsafeByteOperations.unsafeWrap(record, offset, length).isValidUtf8();
      }
    }
    return true;
  }

  static UndecodableException tooLong(Limits limits) {
    return UndecodableException.malformed(
        "more than the " + limits.maxBatchReadings() + " readings allowed in a batch");
  }
}

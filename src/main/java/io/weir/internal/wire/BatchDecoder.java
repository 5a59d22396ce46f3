package io.weir.internal.wire;

import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.weir.reading.IdBytes;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;

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

  /**
   * Decodes the columns of one series behind the existing readings. Deltas are stored until the
   * end, because the start value may be the last field.
   */
  static final class SeriesDecoder {
    private final Limits limits;
    private final FieldReader in;
    private final ReadingColumns columns;
    private int first;
    private int deltas;
    private int values;
    private int qualities;
    private long startMs;

    SeriesDecoder(Limits limits, FieldReader in, ReadingColumns into) {
      this.limits = limits;
      this.in = in;
      this.columns = into;
    }

    void start() {
      first = columns.readings();
      deltas = 0;
      values = 0;
      qualities = 0;
      startMs = 0;
    }

    /** Reads a field; false if it is not a column. */
    boolean field(int tag) throws UndecodableException {
      switch (tag) {
        case Series.START_TIMESTAMP_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            startMs = in.varint64();
        case Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          int outer = in.enter();
          readDeltas();
          in.leave(outer);
        }
        case Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            columns.timestampsMs()[roomFor(deltas++)] = FieldReader.zigzag(in.varint64());
        case Series.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          int outer = in.enter();
          readValues();
          in.leave(outer);
        }
        case Series.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 ->
            columns.values()[roomFor(values++)] = in.fixedDouble();
        case Series.QUALITY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          int outer = in.enter();
          while (!in.atEnd()) {
            columns.quality(roomFor(qualities++), in.varint32());
          }
          in.leave(outer);
        }
        case Series.QUALITY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
            columns.quality(roomFor(qualities++), in.varint32());
        default -> {
          return false;
        }
      }
      return true;
    }

    private void readDeltas() throws UndecodableException {
      int at = first + deltas;
      int end = makeRoom(at, in.left());
      long[] column = columns.timestampsMs();
      while (!in.atEnd()) {
        if (at == end) {
          throw BatchDecoder.tooLong(limits);
        }
        column[at++] = FieldReader.zigzag(in.varint64());
      }
      deltas = at - first;
    }

    private void readValues() throws UndecodableException {
      int at = first + values;
      int end = makeRoom(at, (in.left() + Double.BYTES - 1) / Double.BYTES);
      double[] column = columns.values();
      while (!in.atEnd()) {
        if (at == end) {
          throw BatchDecoder.tooLong(limits);
        }
        column[at++] = in.fixedDouble();
      }
      values = at - first;
    }

    /** Grows the columns, up to the limit; returns the end. */
    private int makeRoom(int from, int more) {
      int end = Math.min(mostReadings(), from + more);
      columns.ensureReadings(end);
      return end;
    }

    /** Entries about completeness count as readings. */
    private int mostReadings() {
      return limits.maxBatchReadings() - columns.attestations().size();
    }

    private int roomFor(int index) throws UndecodableException {
      int at = first + index;
      if (at >= mostReadings()) {
        throw BatchDecoder.tooLong(limits);
      }
      columns.ensureReadings(at + 1);
      return at;
    }

    /**
     * Adds the series to the columns. The length of a broken series is that of its longest column.
     */
    void end(int idOffset, int idLength) {
      boolean lengthsAgree = deltas == values && (qualities == 0 || qualities == values);
      boolean sound = lengthsAgree && addUp();
      for (int i = first + qualities; i < first + values; i++) {
        columns.quality(i, 0);
      }
      columns.series(idOffset, idLength, Math.max(deltas, values), !sound);
    }

    /** Converts deltas to times; false if they overflow. */
    private boolean addUp() {
      long[] column = columns.timestampsMs();
      long timestampMs = startMs;
      for (int i = first; i < first + deltas; i++) {
        long delta = column[i];
        long next = timestampMs + delta;
        if (((timestampMs ^ next) & (delta ^ next)) < 0) {
          return false;
        }
        timestampMs = next;
        column[i] = timestampMs;
      }
      return true;
    }
  }
}

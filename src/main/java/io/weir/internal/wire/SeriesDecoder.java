package io.weir.internal.wire;

import com.google.protobuf.WireFormat;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.v1.Series;

/**
 * Decodes the columns of one series behind the existing readings. Deltas are stored until the end,
 * because the start value may be the last field.
 */
final class SeriesDecoder {
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

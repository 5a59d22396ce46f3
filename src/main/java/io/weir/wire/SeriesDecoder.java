package io.weir.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.v1.Series;
import java.io.IOException;

/**
 * The columns of one series, laid out behind the readings that are there already. Deltas are kept
 * as they are until the end, because the start they add up from may come last.
 */
final class SeriesDecoder {
  private final Limits limits;
  private ReadingColumns columns;
  private int first;
  private int deltas;
  private int values;
  private int qualities;
  private long startMs;

  SeriesDecoder(Limits limits) {
    this.limits = limits;
  }

  void start(ReadingColumns into) {
    columns = into;
    first = into.readings();
    deltas = 0;
    values = 0;
    qualities = 0;
    startMs = 0;
  }

  /** Reads a field, or says that it is none of the columns. */
  boolean field(int tag, CodedInputStream in) throws IOException, UndecodableException {
    switch (tag) {
      case Series.START_TIMESTAMP_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT ->
          startMs = in.readInt64();
      case Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
        int end = in.pushLimit(in.readRawVarint32());
        while (!in.isAtEnd()) {
          delta(in);
        }
        in.popLimit(end);
      }
      case Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT -> delta(in);
      case Series.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
        int end = in.pushLimit(in.readRawVarint32());
        while (!in.isAtEnd()) {
          value(in);
        }
        in.popLimit(end);
      }
      case Series.VALUE_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_FIXED64 -> value(in);
      case Series.QUALITY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
        int end = in.pushLimit(in.readRawVarint32());
        while (!in.isAtEnd()) {
          quality(in);
        }
        in.popLimit(end);
      }
      case Series.QUALITY_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT -> quality(in);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void delta(CodedInputStream in) throws IOException, UndecodableException {
    columns.timestampMs(room(deltas++), in.readSInt64());
  }

  private void value(CodedInputStream in) throws IOException, UndecodableException {
    columns.value(room(values++), in.readDouble());
  }

  private void quality(CodedInputStream in) throws IOException, UndecodableException {
    columns.quality(room(qualities++), in.readEnum());
  }

  private int room(int index) throws UndecodableException {
    int at = first + index;
    if (at >= limits.maxBatchReadings()) {
      throw BatchDecoder.tooLong(limits);
    }
    columns.ensureReadings(at + 1);
    return at;
  }

  /** Adds the series to the columns. One that is broken counts the longer of its columns. */
  void end(int idOffset, int idLength) {
    boolean lengthsAgree = deltas == values && (qualities == 0 || qualities == values);
    boolean sound = lengthsAgree && addUp();
    if (qualities < values) {
      for (int i = first + qualities; i < first + values; i++) {
        columns.quality(i, 0);
      }
    }
    columns.series(idOffset, idLength, Math.max(deltas, values), !sound);
  }

  /** Turns deltas into times; false where they overflow. */
  private boolean addUp() {
    long timestampMs = startMs;
    for (int i = first; i < first + deltas; i++) {
      long delta = columns.timestampMs(i);
      long next = timestampMs + delta;
      if (((timestampMs ^ next) & (delta ^ next)) < 0) {
        return false;
      }
      timestampMs = next;
      columns.timestampMs(i, timestampMs);
    }
    return true;
  }
}

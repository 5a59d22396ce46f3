package io.weir.internal.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.weir.reading.ReadingColumns;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds batches of the readings of a decoded batch that have one verdict: in their form and order,
 * of the same gateway, without boot id and sequence. Fields that are selected completely are
 * copied, including unknown fields; a part of a series is encoded again. Costs a pass over the
 * original; for rare cases.
 */
public final class BatchExcerpt {
  /** The longest accepted id. */
  private static final int LONG_ID_BYTES = 4096;

  private final ReadingColumns batch;
  private final byte verdict;
  private final int maxBytes;
  private final byte[] gateway;

  private final List<byte[]> records = new ArrayList<>(1);
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  private BatchExcerpt(ReadingColumns batch, byte verdict, int maxBytes) {
    this.batch = batch;
    this.verdict = verdict;
    this.maxBytes = maxBytes;
    this.gateway =
        field(
            ReadingBatch.GATEWAY_ID_FIELD_NUMBER,
            batch.bytes(),
            batch.gatewayOffset(),
            batch.gatewayLength());
  }

  /**
   * The readings with that verdict, in records of at most {@code maxBytes}. A larger single reading
   * has a separate record, and so has a series with a larger id, because each part would repeat the
   * id.
   *
   * @param batch judged, with the record it was decoded from
   */
  public static List<byte[]> of(ReadingColumns batch, byte verdict, int maxBytes) {
    BatchExcerpt excerpt = new BatchExcerpt(batch, verdict, maxBytes);
    try {
      excerpt.select();
    } catch (UndecodableException e) {
      throw new IllegalStateException("cannot parse a batch that was decoded before", e);
    }
    excerpt.finishRecord();
    return excerpt.records;
  }

  /** Iterates over the original's top-level fields and their runs, with the decoder's reader. */
  private void select() throws UndecodableException {
    byte[] record = batch.bytes();
    int payload = Frame.payloadOffset(record);
    FieldReader in = new FieldReader();
    in.start(record, payload);
    int run = 0;
    int reading = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      int field = WireFormat.getTagFieldNumber(tag);
      boolean message = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      if (message && field == ReadingBatch.READINGS_FIELD_NUMBER) {
        int length = in.length();
        if (batch.verdict(reading) == verdict) {
          add(field(field, record, in.position(), length));
        }
        in.step(length);
        reading++;
        if (reading == batch.runEnd(run)) {
          run++;
        }
      } else if (message && field == ReadingBatch.SERIES_FIELD_NUMBER) {
        int length = in.length();
        addSeries(run, field(field, record, in.position(), length));
        in.step(length);
        reading = batch.runEnd(run);
        run++;
      } else if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
        // As the decoder reads the numbers that it knows: negative ones may have ten long bytes.
        in.varint64();
      } else {
        in.skip(tag);
      }
    }
  }

  private void addSeries(int run, byte[] whole) {
    int from = batch.runStart(run);
    int to = batch.runEnd(run);
    int chosen = 0;
    for (int i = from; i < to; i++) {
      chosen += batch.verdict(i) == verdict ? 1 : 0;
    }
    if (chosen == 0) {
      return;
    }
    boolean asItStands =
        chosen == to - from
            && (fits(whole)
                || batch.form(run) == ReadingColumns.Form.BROKEN_SERIES
                || batch.idLength(run) > Math.max(LONG_ID_BYTES, maxBytes / 2));
    if (asItStands) {
      add(whole);
    } else {
      addPart(run, from, to);
    }
  }

  /** Writes the selected readings of a run, in halves if one series cannot have them all. */
  private void addPart(int run, int from, int to) {
    byte[] part = partOf(run, from, to);
    boolean whole = part != null && fits(part);
    if (whole || (part != null && to - from == 1)) {
      add(part);
    } else {
      int middle = (from + to) >>> 1;
      addPart(run, from, middle);
      addPart(run, middle, to);
    }
  }

  /**
   * The selected readings as a field; empty if there are none, null if their times are too far
   * apart.
   */
  private byte[] partOf(int run, int from, int to) {
    Series.Builder series = Series.newBuilder();
    boolean allGood = true;
    long beforeMs = 0;
    for (int i = from; i < to; i++) {
      if (batch.verdict(i) != verdict) {
        continue;
      }
      long timestampMs = batch.timestampMs(i);
      if (series.getValueCount() == 0) {
        beforeMs = timestampMs;
        series.setStartTimestampMs(beforeMs);
      }
      long delta = timestampMs - beforeMs;
      if (((timestampMs ^ beforeMs) & (timestampMs ^ delta)) < 0) {
        return null;
      }
      series.addTimestampDeltaMs(delta);
      series.addValue(batch.value(i));
      series.addQualityValue(batch.quality(i));
      allGood &= batch.quality(i) == 0;
      beforeMs = timestampMs;
    }
    if (series.getValueCount() == 0) {
      return new byte[0];
    }
    if (allGood) {
      series.clearQuality();
    }
    series.setSensorIdBytes(
        ByteString.copyFrom(batch.bytes(), batch.idOffset(run), batch.idLength(run)));
    byte[] message = series.build().toByteArray();
    return field(ReadingBatch.SERIES_FIELD_NUMBER, message, 0, message.length);
  }

  private boolean fits(byte[] piece) {
    return gateway.length + piece.length <= maxBytes;
  }

  private void add(byte[] piece) {
    if (pending.size() > 0 && gateway.length + pending.size() + piece.length > maxBytes) {
      finishRecord();
    }
    pending.writeBytes(piece);
  }

  private void finishRecord() {
    if (pending.size() == 0) {
      return;
    }
    ByteArrayOutputStream record = new ByteArrayOutputStream(gateway.length + pending.size());
    record.writeBytes(gateway);
    record.writeBytes(pending.toByteArray());
    records.add(record.toByteArray());
    pending.reset();
  }

  private static byte[] field(int number, byte[] bytes, int offset, int length) {
    if (length == 0 && number == ReadingBatch.GATEWAY_ID_FIELD_NUMBER) {
      return new byte[0];
    }
    int head =
        CodedOutputStream.computeTagSize(number) + CodedOutputStream.computeUInt32SizeNoTag(length);
    byte[] field = new byte[head + length];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(field);
      out.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(length);
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return field;
  }
}

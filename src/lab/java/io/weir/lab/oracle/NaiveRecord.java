package io.weir.lab.oracle;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record of the readings topic, read with protobuf-java: a batch, or why it is none.
 *
 * @param batch null where it is none
 * @param refused null where it is one
 */
public record NaiveRecord(ReadingBatch batch, RejectReason refused) {
  private static final int MAX_RECORD_BYTES = 1 << 20;
  private static final int MAX_DECOMPRESSED_BYTES = 4 * MAX_RECORD_BYTES;
  private static final int MAX_BATCH_READINGS = 10_000;
  private static final int FRAME_BYTES = 5;

  /** Whether a record only lets time pass: the owner of a partition wrote it, and no gateway. */
  public static boolean isTick(ConsumerRecord<byte[], byte[]> record) {
    return record.value() != null
        && record.value().length == 0
        && record.headers().lastHeader("weir.tick") != null;
  }

  /** What a dead letter has of a value; nothing of one that was not even decompressed. */
  static byte[] kept(byte[] value) {
    return value == null || value.length > MAX_DECOMPRESSED_BYTES ? null : value;
  }

  /** Reads a record's value; null for one that has none. */
  public static NaiveRecord of(byte[] value) {
    if (value == null || value.length > MAX_RECORD_BYTES) {
      return new NaiveRecord(null, RejectReason.UNDECODABLE);
    }
    if (value.length == 0 || value[0] != 0) {
      return ofProtobuf(value);
    }
    if (value.length <= FRAME_BYTES) {
      return new NaiveRecord(null, RejectReason.UNDECODABLE);
    }
    return ofFramed(Arrays.copyOfRange(value, FRAME_BYTES, value.length));
  }

  /** Message indexes are zigzag varints: their count, then each; [0] is one 0 byte. */
  private static NaiveRecord ofFramed(byte[] indexesAndPayload) {
    CodedInputStream in = CodedInputStream.newInstance(indexesAndPayload);
    try {
      int count = in.readSInt32();
      boolean first = count == 0 || (count == 1 && in.readSInt32() == 0);
      if (!first) {
        return new NaiveRecord(null, RejectReason.UNKNOWN_SCHEMA);
      }
      int from = in.getTotalBytesRead();
      return ofProtobuf(Arrays.copyOfRange(indexesAndPayload, from, indexesAndPayload.length));
    } catch (InvalidProtocolBufferException e) {
      return new NaiveRecord(null, RejectReason.UNDECODABLE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NaiveRecord ofProtobuf(byte[] message) {
    try {
      ReadingBatch batch = ReadingBatch.parseFrom(message);
      long readings = batch.getReadingsCount() + batch.getCompleteCount();
      for (Series series : batch.getSeriesList()) {
        int most = Math.max(series.getTimestampDeltaMsCount(), series.getValueCount());
        readings += Math.max(most, series.getQualityCount());
      }
      return Math.max(readings, batch.getSeriesCount()) > MAX_BATCH_READINGS
          ? new NaiveRecord(null, RejectReason.UNDECODABLE)
          : new NaiveRecord(batch, null);
    } catch (InvalidProtocolBufferException e) {
      return new NaiveRecord(null, RejectReason.UNDECODABLE);
    }
  }
}

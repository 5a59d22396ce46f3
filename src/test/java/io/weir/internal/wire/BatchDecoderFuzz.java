package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.Parser;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;

/**
 * Any bytes: taken and refused as protobuf-java takes and refuses them, within the limits. The
 * decoders are kept from input to input, as a task keeps its own.
 */
public final class BatchDecoderFuzz {
  private static final Parser<ReadingBatch> PARSER =
      DiscardUnknownFieldsParser.wrap(ReadingBatch.parser());

  /** Groups of unknown fields nested so deep are taken; deeper ones may be refused. */
  private static final int DEPTH = 16;

  private static final int PROTOBUF_DEPTH = 100;
  private static final Limits SMALL = new Limits(48, 5, 256);

  private static final BatchDecoder DECODER = new BatchDecoder(Limits.DEFAULT);
  private static final BatchDecoder SMALL_DECODER = new BatchDecoder(SMALL);

  private BatchDecoderFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    boolean framed = bytes.length > 0 && bytes[0] == 0;
    if (!framed) {
      check(DECODER, Limits.DEFAULT, bytes);
      check(SMALL_DECODER, SMALL, bytes);
    }
  }

  private static void check(BatchDecoder decoder, Limits limits, byte[] bytes) {
    String decoded = null;
    try {
      decoded = BatchText.of(decoder.decode(bytes));
    } catch (UndecodableException e) {
      assertThat(e.reason()).isEqualTo(RejectReason.UNDECODABLE);
    }
    if (decoded == null) {
      ReadingBatch batch = parse(bytes, DEPTH);
      assertThat(batch == null || isBeyond(limits, bytes, batch)).as("refused").isTrue();
    } else {
      assertThat(bytes.length).isLessThanOrEqualTo(limits.maxRecordBytes());
      assertThat(decoded).isEqualTo(BatchText.of(parse(bytes, PROTOBUF_DEPTH)));
    }
  }

  private static boolean isBeyond(Limits limits, byte[] bytes, ReadingBatch batch) {
    long readings = batch.getReadingsCount() + batch.getCompleteCount();
    for (Series series : batch.getSeriesList()) {
      int columns = Math.max(series.getTimestampDeltaMsCount(), series.getValueCount());
      readings += Math.max(columns, series.getQualityCount());
    }
    int runs = batch.getReadingsCount() + batch.getSeriesCount();
    return bytes.length > limits.maxRecordBytes()
        || Math.max(readings, runs) > limits.maxBatchReadings();
  }

  private static ReadingBatch parse(byte[] bytes, int depth) {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    in.setRecursionLimit(depth);
    try {
      ReadingBatch batch = PARSER.parseFrom(in);
      in.checkLastTagWas(0);
      return batch;
    } catch (IOException refused) {
      return null;
    }
  }
}

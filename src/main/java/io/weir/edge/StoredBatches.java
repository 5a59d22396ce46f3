package io.weir.edge;

import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.BatchNanos;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.reading.Quality;
import io.weir.reading.ReadingColumns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the readings of stored batches to a {@link StoredReadings.Listener}. Not thread-safe. */
final class StoredBatches {
  private static final Logger LOG = LoggerFactory.getLogger(StoredBatches.class);
  private static final Limits ANY =
      new Limits(JournalRecords.MAX_PAYLOAD_BYTES, Integer.MAX_VALUE, Integer.MAX_VALUE);

  private final StoredReadings.Listener listener;
  private final BatchDecoder decoder = new BatchDecoder(ANY);

  StoredBatches(StoredReadings.Listener listener) {
    this.listener = listener;
  }

  void read(SequencedBatch batch) {
    try {
      ReadingColumns columns = decoder.decode(batch.value());
      int[] nanos = BatchNanos.decode(batch.nanos(), columns.readings());
      for (int run = 0; run < columns.runs(); run++) {
        read(columns, run, nanos);
      }
    } catch (UndecodableException | IOException e) {
      LOG.warn("a stored batch cannot be decoded; its readings may be accepted again", e);
    }
  }

  private void read(ReadingColumns columns, int run, int[] nanos) {
    String id =
        new String(
            columns.bytes(), columns.idOffset(run), columns.idLength(run), StandardCharsets.UTF_8);
    for (int i = columns.runStart(run); i < columns.runEnd(run); i++) {
      listener.stored(
          id,
          columns.timestampMs(i),
          nanos[i],
          columns.value(i),
          Quality.ofNumber(columns.quality(i)));
    }
  }
}

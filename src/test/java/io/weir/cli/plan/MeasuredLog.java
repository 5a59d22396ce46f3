package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Records as they are sent: their bytes with and without Kafka's batches and compression. */
final class MeasuredLog {
  private static final int IN_A_BATCH = 10;
  private static final long TIME_MS = 1_700_000_000_000L;

  private final List<SimpleRecord> records = new ArrayList<>();
  private long bytes;

  /**
   * @param value null for a deletion
   */
  void add(byte[] key, byte[] value, Header... headers) {
    records.add(new SimpleRecord(TIME_MS, key, value, headers));
    bytes += value == null ? 0 : key.length + value.length;
  }

  /** Of keys and values that are not deletions. */
  long bytes() {
    return bytes;
  }

  /** In batches of ten as Weir's applications send them; forgets them. */
  long sent() {
    return sent(Compression.lz4().build(), IN_A_BATCH);
  }

  /** One by one as gateways send them; forgets them. */
  long published() {
    return sent(Compression.zstd().level(2).build(), 1);
  }

  private long sent(Compression compression, int inABatch) {
    long sent = 0;
    for (int from = 0; from < records.size(); from += inABatch) {
      List<SimpleRecord> batch = records.subList(from, Math.min(records.size(), from + inABatch));
      sent +=
          MemoryRecords.withRecords(compression, batch.toArray(SimpleRecord[]::new)).sizeInBytes();
    }
    records.clear();
    bytes = 0;
    return sent;
  }
}

package io.weir.internal.app;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.SizeGuard;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Limits the size of dead letters and late readings before they are sent. A record that is too
 * large for the producer aborts the transaction, and the retry has the same record: a sender could
 * stop the application. For other records it only checks the headers.
 */
final class LetterSizes {
  private final int maxBytes;
  private final SizeGuard guard;

  private LetterSizes(int maxBytes) {
    this.maxBytes = maxBytes;
    this.guard = new SizeGuard(maxBytes);
  }

  /** For a producer with these settings. */
  static LetterSizes of(Map<String, Object> config) {
    Object set = config.get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    return new LetterSizes(
        set == null
            ? (Integer)
                ProducerConfig.configDef()
                    .defaultValues()
                    .get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)
            : Integer.parseInt(set.toString()));
  }

  /** The same record, or a dead letter that is truncated to the producer's limit. */
  ProducerRecord<byte[], byte[]> fitting(ProducerRecord<byte[], byte[]> record) {
    if (record.headers().lastHeader(DeadLetterHeaders.TOPIC) == null || fits(record)) {
      return record;
    }
    Headers headers = new RecordHeaders(record.headers());
    SizeGuard.Fitting fitting = guard.fit(record.key(), record.value(), headers);
    return new ProducerRecord<>(
        record.topic(),
        record.partition(),
        record.timestamp(),
        fitting.key(),
        fitting.value(),
        headers);
  }

  private boolean fits(ProducerRecord<byte[], byte[]> record) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
            RecordBatch.CURRENT_MAGIC_VALUE,
            CompressionType.NONE,
            record.key(),
            record.value(),
            record.headers().toArray())
        <= maxBytes;
  }
}

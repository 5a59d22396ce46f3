package io.weir.app;

import io.weir.deadletter.DeadLetterHeaders;
import io.weir.deadletter.SizeGuard;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The last look at dead letters and late readings before they are sent. What a producer refuses as
 * too large aborts the transaction, and comes again with the same record: a sender could so end the
 * application. Costs other records a look at their headers.
 */
final class LetterSizes {
  private final int maxBytes;
  private final SizeGuard guard;

  private LetterSizes(int maxBytes) {
    this.maxBytes = maxBytes;
    this.guard = new SizeGuard(maxBytes);
  }

  /** Of a producer, by its settings. */
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

  /** The same record, or a letter that is cut to what the producer takes. */
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

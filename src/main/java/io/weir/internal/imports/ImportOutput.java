package io.weir.internal.imports;

import io.weir.internal.registry.ValueFormat;
import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Makes batches of readings, with the origin of each batch in a header. One thread. */
final class ImportOutput {
  /** On a batch: topic, partition and offsets of its records, such as {@code plant.raw-3:17-29}. */
  static final String ORIGIN = "weir.import.origin";

  private final ImportSettings settings;
  private final ValueFormat.Writer writer;
  private final ImportTransaction transaction;
  private final ReadingBatches batches;
  private final byte[] key;

  ImportOutput(ImportSettings settings, Import.Form form, ImportTransaction transaction) {
    this.settings = settings;
    this.writer = form.writer();
    this.transaction = transaction;
    this.key = settings.gatewayId().getBytes(StandardCharsets.UTF_8);
    this.batches =
        new ReadingBatches(
            settings.gatewayId(),
            form.maxBatchReadings(),
            form.roomForBatch() - ORIGIN.length() - ReadingBatches.MAX_ORIGIN,
            this::send);
  }

  /** Adds a reading of a record. */
  void add(Reading reading, ConsumerRecord<byte[], byte[]> record) {
    batches.add(reading, record.topic() + "-" + record.partition(), record.offset());
  }

  /** Adds all that is left to the transaction. */
  void flush() {
    batches.flush();
  }

  private void send(byte[] batch, int partition, String origin) {
    Headers headers = new RecordHeaders();
    byte[] value = writer.write(batch, headers);
    headers.add(ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
    transaction.add(
        new ProducerRecord<>(settings.readings(), partition, null, key, value, headers));
  }
}

package io.weir.internal.imports;

import io.weir.internal.registry.ValueFormat;
import io.weir.reading.Reading;
import io.weir.signing.BatchSigner;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Makes batches of readings, with the origin of each batch in a header. One thread. */
final class ImportOutput {
  private static final int BOOT_RANDOM_BITS = 20;

  private final ImportSettings settings;
  private final ValueFormat.Writer writer;
  private final ImportTransaction transaction;
  private final ReadingBatches batches;
  private final byte[] key;
  private final Optional<BatchSigner> signer;

  ImportOutput(ImportSettings settings, Import.Form form, ImportTransaction transaction) {
    this.settings = settings;
    this.writer = form.writer();
    this.transaction = transaction;
    this.signer = form.key().map(each -> BatchSigner.of(settings.readings(), each));
    String gateway = signer.isPresent() ? settings.signingGatewayId() : settings.gatewayId();
    this.key = gateway.getBytes(StandardCharsets.UTF_8);
    this.batches =
        new ReadingBatches(
            gateway,
            form.maxBatchReadings(),
            form.roomForBatch() - ImportSettings.ORIGIN.length() - ReadingBatches.MAX_ORIGIN,
            this::send);
    beginBoot();
  }

  /** Counts the sequences of signed batches from 1: none of a boot is missing after an abort. */
  void beginBoot() {
    if (signer.isPresent()) {
      batches.beginBoot(
          System.currentTimeMillis() << BOOT_RANDOM_BITS
              | ThreadLocalRandom.current().nextInt(1 << BOOT_RANDOM_BITS));
    }
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
    signer.ifPresent(each -> each.sign(partition, value, headers));
    headers.add(ImportSettings.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
    transaction.add(
        new ProducerRecord<>(settings.readings(), partition, null, key, value, headers));
  }
}

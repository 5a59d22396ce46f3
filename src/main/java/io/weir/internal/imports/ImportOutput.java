package io.weir.internal.imports;

import io.weir.internal.registry.ValueFormat;
import io.weir.reading.Reading;
import io.weir.signing.BatchSigner;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
  private final boolean sequenced;
  private final Runnable commit;

  /**
   * @param commit writes the transaction of all that was added
   */
  ImportOutput(
      ImportSettings settings, Import.Form form, ImportTransaction transaction, Runnable commit) {
    this.commit = commit;
    this.settings = settings;
    this.writer = form.writer();
    this.transaction = transaction;
    this.signer = form.key().map(each -> BatchSigner.of(settings.readings(), each));
    // Weir ignores attestations without a sequence.
    this.sequenced = signer.isPresent() || form.ordered();
    String gateway = sequenced ? settings.signingGatewayId() : settings.gatewayId();
    this.key = gateway.getBytes(StandardCharsets.UTF_8);
    this.batches =
        new ReadingBatches(
            gateway,
            form.ordered(),
            form.maxBatchReadings(),
            form.roomForBatch() - ImportSettings.ORIGIN.length() - ReadingBatches.MAX_ORIGIN,
            this::send);
    beginBoot();
  }

  /** Counts sequences from 1: none of a boot is missing after an abort. */
  void beginBoot() {
    if (sequenced) {
      batches.beginBoot(
          System.currentTimeMillis() << BOOT_RANDOM_BITS
              | ThreadLocalRandom.current().nextInt(1 << BOOT_RANDOM_BITS));
    }
  }

  /**
   * Adds what a record becomes; first commits the records before it, if one transaction has no room
   * for all.
   *
   * @param mostBytes of the readings
   */
  ImportCounts add(
      ConsumerRecord<byte[], byte[]> record,
      List<Reading> readings,
      long mostBytes,
      Optional<ProducerRecord<byte[], byte[]>> deadLetter) {
    long more = deadLetter.map(ImportTransaction::bytesOf).orElse(0L);
    if (!transaction.hasRoomFor(batches.bytes() + mostBytes + more)) {
      batches.flush();
      commit.run();
    }
    String source = record.topic() + "-" + record.partition();
    readings.forEach(each -> batches.add(each, source, record.offset()));
    deadLetter.ifPresent(transaction::add);
    int good = readings.size();
    if (deadLetter.isPresent()) {
      return new ImportCounts(0, 0, 1, good);
    }
    return good == 0 ? new ImportCounts(0, 1, 0, 0) : new ImportCounts(1, 0, 0, good);
  }

  /** The same for a record without good readings. */
  ImportCounts add(
      ConsumerRecord<byte[], byte[]> record, ProducerRecord<byte[], byte[]> deadLetter) {
    return add(record, List.of(), 0, Optional.of(deadLetter));
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

package io.weir.lab.chaos;

import io.weir.lab.oracle.NaiveRecord;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.signing.BatchSigner;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Sends what no publisher would send, each record in the ledger first. One thread. */
final class RawProducer implements AutoCloseable {
  private static final int LARGEST_BYTES = 16 << 20;
  private static final int BATCH_BYTES = 16 << 10;

  private final ReplacedProducer producer;
  private final ReplacedProducer compressing;
  private final String topic;
  private final GatewayLedger ledger;
  private long number;

  /**
   * @param lastNumber that an earlier life gave to a record
   */
  RawProducer(GatewayTask task, GatewayLedger ledger, long lastNumber) {
    this.topic = task.topic();
    this.ledger = ledger;
    this.number = lastNumber;
    this.producer = producer(task, "raw-", "none", BATCH_BYTES, 4 << 20);
    // Each record in a batch of its own.
    this.compressing = producer(task, "compressing-", "zstd", 0, LARGEST_BYTES);
  }

  private static ReplacedProducer producer(
      GatewayTask task, String name, String compression, int batchBytes, int memoryBytes) {
    return new ReplacedProducer(
        name + task.gatewayId(),
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            task.bootstrapServers(),
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            compression,
            ProducerConfig.BATCH_SIZE_CONFIG,
            batchBytes,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            memoryBytes,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            memoryBytes / 2,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            1));
  }

  /** The number of the last record. */
  long lastNumber() {
    return number;
  }

  void send(int partition, byte[] value) throws IOException {
    send(producer, partition, value, new RecordHeaders());
  }

  /** Sends it with the signature of a gateway, where there is one. */
  void send(int partition, byte[] value, Optional<BatchSigner> signer) throws IOException {
    Headers headers = new RecordHeaders();
    signer.ifPresent(each -> each.sign(partition, value, headers));
    send(producer, partition, value, headers);
  }

  void send(int partition, HostileRound.Attack attack) throws IOException {
    if (attack.compressed()) {
      send(compressing, partition, attack.value(), attack.headers());
    } else {
      send(producer, partition, attack.value(), attack.headers());
    }
  }

  private void send(ReplacedProducer through, int partition, byte[] value, Headers headers)
      throws IOException {
    NaiveRecord read = NaiveRecord.of(value);
    int readings = read.batch() == null ? 0 : (int) NaiveWeir.readingsOf(read.batch());
    LedgerEntry.Raw raw = new LedgerEntry.Raw(++number, partition, readings, value);
    ledger.beforeRaw(raw);
    through
        .get()
        .send(
            new ProducerRecord<>(topic, partition, null, null, value, headers),
            (metadata, failure) -> {
              if (failure == null) {
                ledger.rawAcknowledged(raw);
              }
            });
  }

  /** Waits until what was sent is acknowledged or given up. */
  @Override
  public void close() {
    producer.close();
    compressing.close();
  }
}

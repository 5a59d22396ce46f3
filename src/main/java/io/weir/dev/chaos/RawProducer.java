package io.weir.dev.chaos;

import io.weir.dev.oracle.NaiveRecord;
import io.weir.dev.oracle.NaiveWeir;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends what no publisher would send, each record in the ledger first. One thread. */
final class RawProducer implements AutoCloseable {
  private static final int LARGEST_BYTES = 16 << 20;

  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaProducer<byte[], byte[]> compressing;
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
    this.producer = producer(task, "raw-", "none", 4 << 20);
    this.compressing = producer(task, "compressing-", "zstd", LARGEST_BYTES);
  }

  private static KafkaProducer<byte[], byte[]> producer(
      GatewayTask task, String name, String compression, int memoryBytes) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            task.bootstrapServers(),
            ProducerConfig.CLIENT_ID_CONFIG,
            name + task.gatewayId(),
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            compression,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            memoryBytes,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            memoryBytes / 2,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            1),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** The number of the last record. */
  long lastNumber() {
    return number;
  }

  void send(int partition, byte[] value) throws IOException {
    send(producer, partition, value, new RecordHeaders());
  }

  void send(int partition, HostileRound.Attack attack) throws IOException {
    if (attack.compressed()) {
      send(compressing, partition, attack.value(), attack.headers());
      compressing.flush(); // The next one would join its batch.
    } else {
      send(producer, partition, attack.value(), attack.headers());
    }
  }

  private void send(
      KafkaProducer<byte[], byte[]> through, int partition, byte[] value, Headers headers)
      throws IOException {
    NaiveRecord read = NaiveRecord.of(value);
    int readings = read.batch() == null ? 0 : (int) NaiveWeir.readingsOf(read.batch());
    LedgerEntry.Raw raw = new LedgerEntry.Raw(++number, partition, readings, value);
    ledger.beforeRaw(raw);
    through.send(
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

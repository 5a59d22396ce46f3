package io.weir.lab.bench;

import io.weir.internal.wire.BatchColumns;
import io.weir.reading.Fnv1a;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * A gateway in any language: rows through Kafka's producer, a batch for each partition of what came
 * within the flush interval, 1,000 readings at most. Safe for the thread that offers and one that
 * closes.
 */
final class RowGateway implements FleetGateway {
  private static final int MAX_BATCH_READINGS = 1_000;
  private static final long BOOT_ID = 1;

  private final String id;
  private final byte[] key;
  private final String topic;
  private final long flushIntervalNanos;
  private final Producer<byte[], byte[]> producer;
  private final RowBatchEncoder encoder = new RowBatchEncoder();
  private final BatchColumns[] pending = new BatchColumns[SensorPartition.COUNT];
  private final long[] sequences = new long[SensorPartition.COUNT];
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private boolean anyPending;
  private long firstNanos;

  /**
   * @param producer is the gateway's to close
   */
  RowGateway(String id, String topic, long flushIntervalNanos, Producer<byte[], byte[]> producer) {
    this.id = id;
    this.key = id.getBytes(StandardCharsets.UTF_8);
    this.topic = topic;
    this.flushIntervalNanos = flushIntervalNanos;
    this.producer = producer;
    for (int partition = 0; partition < pending.length; partition++) {
      pending[partition] = new BatchColumns();
    }
  }

  @Override
  public synchronized boolean offer(Reading reading) {
    if (!anyPending) {
      anyPending = true;
      firstNanos = System.nanoTime();
    }
    int hash = Fnv1a.hash(reading.sensorId());
    int partition = SensorPartition.of(reading.sensorId());
    BatchColumns columns = pending[partition];
    columns.add(
        reading.sensorId(), hash, reading.timestampMs(), reading.value(), reading.quality());
    if (columns.size() == MAX_BATCH_READINGS) {
      send(partition);
    }
    look();
    return true;
  }

  @Override
  public synchronized void look() {
    if (anyPending && System.nanoTime() - firstNanos >= flushIntervalNanos) {
      flush();
    }
  }

  @Override
  public synchronized void flush() {
    for (int partition = 0; partition < pending.length; partition++) {
      if (pending[partition].size() > 0) {
        send(partition);
      }
    }
    anyPending = false;
  }

  private void send(int partition) {
    BatchColumns columns = pending[partition];
    byte[] batch = encoder.encode(id, BOOT_ID, ++sequences[partition], columns);
    columns.clear();
    producer.send(
        new ProducerRecord<>(topic, partition, key, batch),
        (metadata, e) -> failure.compareAndSet(null, e));
  }

  @Override
  public synchronized void close() {
    flush();
    producer.close();
    if (failure.get() != null) {
      throw new KafkaException("a batch was not acknowledged", failure.get());
    }
  }
}

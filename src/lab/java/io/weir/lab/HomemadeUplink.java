package io.weir.lab;

import io.weir.internal.registry.ValueFormat;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway of a third party: batches in row form through a plain Kafka producer, and whatever can
 * go wrong with that. Used by one thread.
 */
final class HomemadeUplink implements FaultyUplink {
  private static final Logger LOG = LoggerFactory.getLogger(HomemadeUplink.class);
  private static final int MAX_BATCH_READINGS = 1000;

  private final String gatewayId;
  private final byte[] key;
  private final long bootId;
  private final String topic;
  private final ValueFormat.Writer values;
  private final Producer<byte[], byte[]> producer;
  private final FleetLedger ledger;
  private final Pending[] pending = new Pending[SensorPartition.COUNT];
  private final Sent[] lastSent = new Sent[SensorPartition.COUNT];
  private final AtomicLong unacknowledged = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /** A batch in the making, its readings counted by what they were meant to be. */
  private static final class Pending {
    private final ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    private final Map<FleetLedger.Kind, Long> counts = new EnumMap<>(FleetLedger.Kind.class);
    private long sequence;
  }

  private record Sent(byte[] payload, long readings) {}

  /**
   * @param bootId larger than that of any start of the same gateway before
   * @param values the form of batches on the topic
   */
  HomemadeUplink(
      String gatewayId,
      long bootId,
      String topic,
      ValueFormat.Writer values,
      Producer<byte[], byte[]> producer,
      FleetLedger ledger) {
    this.gatewayId = gatewayId;
    this.key = gatewayId.getBytes(StandardCharsets.UTF_8);
    this.bootId = bootId;
    this.topic = topic;
    this.values = values;
    this.producer = producer;
    this.ledger = ledger;
    for (int partition = 0; partition < pending.length; partition++) {
      pending[partition] = new Pending();
    }
  }

  /** A producer that keeps what it is given in order, whatever has to be sent twice. */
  static Producer<byte[], byte[]> producer(Map<String, Object> kafka) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // More than one would let a batch pass by the first of a partition whose leader is not up yet.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public boolean offer(Reading reading, FleetLedger.Kind kind) {
    int home = SensorPartition.of(reading.sensorId());
    int partition = kind == FleetLedger.Kind.MISROUTED ? (home + 1) % SensorPartition.COUNT : home;
    Pending to = pending[partition];
    to.batch.addReadings(
        io.weir.v1.Reading.newBuilder()
            .setSensorId(reading.sensorId())
            .setTimestampMs(reading.timestampMs())
            .setValue(reading.value())
            .setQualityValue(reading.quality().number()));
    to.counts.merge(kind, 1L, Long::sum);
    if (to.batch.getReadingsCount() == MAX_BATCH_READINGS) {
      send(partition, to);
    }
    return true;
  }

  @Override
  public void flush() {
    for (int partition = 0; partition < pending.length; partition++) {
      if (pending[partition].batch.getReadingsCount() > 0) {
        send(partition, pending[partition]);
      }
    }
  }

  private void send(int partition, Pending ready) {
    byte[] payload =
        ready
            .batch
            .setGatewayId(gatewayId)
            .setBootId(bootId)
            .setSequence(++ready.sequence)
            .build()
            .toByteArray();
    lastSent[partition] = new Sent(payload, ready.batch.getReadingsCount());
    sendBatch(partition, payload, new EnumMap<>(ready.counts));
    ready.batch.clear();
    ready.counts.clear();
  }

  @Override
  public void resend(int partition) {
    Sent last = lastSent[partition];
    if (last != null) {
      sendBatch(partition, last.payload(), Map.of(FleetLedger.Kind.RESENT, last.readings()));
    }
  }

  @Override
  public void poison(int partition, byte[] value) {
    send(partition, value, new RecordHeaders(), Map.of(FleetLedger.Kind.POISON, 1L));
  }

  private void sendBatch(int partition, byte[] payload, Map<FleetLedger.Kind, Long> counts) {
    Headers headers = new RecordHeaders();
    send(partition, values.write(payload, headers), headers, counts);
  }

  private void send(
      int partition, byte[] value, Headers headers, Map<FleetLedger.Kind, Long> counts) {
    unacknowledged.incrementAndGet();
    producer.send(
        new ProducerRecord<>(topic, partition, key, value, headers),
        (metadata, failure) -> {
          if (failure != null) {
            if (failed.getAndIncrement() == 0) {
              LOG.warn("{}: a batch was not acknowledged: {}", gatewayId, failure.getMessage());
            }
            return;
          }
          counts.forEach(ledger::acknowledged);
          unacknowledged.decrementAndGet();
        });
  }

  @Override
  public boolean close(Duration timeout) {
    flush();
    producer.close(timeout);
    if (failed.get() > 1) {
      LOG.warn("{}: {} batches were not acknowledged", gatewayId, failed);
    }
    return unacknowledged.get() == 0;
  }
}

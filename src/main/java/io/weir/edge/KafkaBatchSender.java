package io.weir.edge;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends with a KafkaProducer: key the gateway id, partition the batch's own, no timestamp that
 * matters. {@link ProducerSettings} says how it is set up.
 */
final class KafkaBatchSender implements BatchSender {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final byte[] key;
  private final AtomicBoolean failed = new AtomicBoolean();

  KafkaBatchSender(PublisherSettings settings) {
    this.topic = settings.topic();
    this.key = settings.gatewayId().getBytes(StandardCharsets.UTF_8);
    this.producer =
        new KafkaProducer<>(
            ProducerSettings.of(settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void send(SequencedBatch batch, Outcome outcome) {
    producer.send(
        new ProducerRecord<>(topic, batch.partition(), key, batch.value()),
        (metadata, failure) -> {
          if (failure != null) {
            stop();
          }
          outcome.accept(failure);
        });
  }

  @Override
  public void close() {
    failed.set(true);
    producer.close(Duration.ZERO);
  }

  /**
   * Stops the producer before its network thread takes up the partition's next batch, which would
   * otherwise overtake the one that failed. From a callback, close does not wait.
   */
  private void stop() {
    if (failed.compareAndSet(false, true)) {
      producer.close(Duration.ZERO);
    }
  }
}

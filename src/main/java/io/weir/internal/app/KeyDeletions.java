package io.weir.internal.app;

import com.google.protobuf.ByteString;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.v1.ControlRecord;
import io.weir.v1.KeyDeletion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Orders to delete a key of an application with handlers: writes the order to the control topic,
 * then a mark with its offset to the key's partition of the events. The application deletes the key
 * when it reads the mark, once. The producer must use acks=all; the caller closes it. One thread.
 */
public final class KeyDeletions {
  /**
   * A written order.
   *
   * @param order its offset on the control topic
   * @param partition of the key
   * @param mark offset of its mark on the topic of events
   */
  public record Given(long order, int partition, long mark) {}

  private final Producer<byte[], byte[]> producer;
  private final String control;
  private final String events;

  public KeyDeletions(Producer<byte[], byte[]> producer, String control, String events) {
    this.producer = producer;
    this.control = control;
    this.events = events;
  }

  /**
   * Waits until the order and its mark are acknowledged.
   *
   * @param nonce secret random bytes, {@link ResetMark#NONCE_BYTES} of them
   * @throws KafkaException if one is not; then the key may or may not be deleted
   */
  public Given give(String applicationId, String key, byte[] nonce) {
    ControlRecord order =
        ControlRecord.newBuilder()
            .setNonce(ByteString.copyFrom(nonce))
            .setReadingsTopic(events)
            .setKeyDeletion(KeyDeletion.newBuilder().setApplicationId(applicationId).setKey(key))
            .build();
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    long offset = send(new ProducerRecord<>(control, 0, name, order.toByteArray()));
    int partition = SensorPartition.of(key);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(events, partition, null, ResetMark.value());
    ResetMark.of(offset, order.getNonce()).mark(record.headers());
    return new Given(offset, partition, send(record));
  }

  private long send(ProducerRecord<byte[], byte[]> record) {
    try {
      return producer.send(record).get().offset();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw new KafkaException(record.topic() + ": " + e.getCause().getMessage(), e.getCause());
    }
  }
}

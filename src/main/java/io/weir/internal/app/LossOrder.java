package io.weir.internal.app;

import com.google.protobuf.ByteString;
import io.weir.internal.wire.ResetMark;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.ControlRecord;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Orders to an application to continue without lost records. Those of readings have a mark in the
 * partition: from there on, the application emits withheld windows.
 */
public final class LossOrder {
  private LossOrder() {}

  /**
   * Waits until the order is acknowledged.
   *
   * @param producer must use acks=all
   * @param nonce random bytes of the order
   * @return its offset on the control topic
   * @param marked whether a mark follows in the partition
   * @throws KafkaException if it is not, or its mark is not
   */
  public static long write(
      Producer<byte[], byte[]> producer,
      String control,
      String applicationId,
      String topic,
      int partition,
      LossFinder.Loss loss,
      byte[] nonce,
      boolean marked) {
    AcceptedLoss.Builder accepted =
        AcceptedLoss.newBuilder()
            .setApplicationId(applicationId)
            .setTopicId(AcceptedLosses.bytes(loss.topicId()))
            .setPartition(partition)
            .setLife(loss.life().id())
            .setStateEnd(loss.stateEnd())
            .setNextOffset(loss.nextOffset());
    loss.windows().left().writeTo(accepted);
    ControlRecord order =
        ControlRecord.newBuilder()
            .setNonce(ByteString.copyFrom(nonce))
            .setReadingsTopic(topic)
            .setAcceptedLoss(accepted)
            .build();
    byte[] key = applicationId.getBytes(StandardCharsets.UTF_8);
    try {
      long offset =
          producer.send(new ProducerRecord<>(control, 0, key, order.toByteArray())).get().offset();
      if (marked) {
        ProducerRecord<byte[], byte[]> mark =
            new ProducerRecord<>(topic, partition, null, ResetMark.value());
        ResetMark.of(offset, order.getNonce()).mark(mark.headers());
        producer.send(mark).get();
      }
      return offset;
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw new KafkaException(
          "not accepted, run it again: " + e.getCause().getMessage(), e.getCause());
    }
  }
}

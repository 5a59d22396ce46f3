package io.weir.internal.app;

import com.google.protobuf.ByteString;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.ControlRecord;
import io.weir.v1.GatewayReset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Orders to clear a gateway's sequences: writes the order to the control topic, then a mark with
 * its offset to every partition of the readings. The position of the mark decides which sequences
 * are cleared, for every application that reads the topic. The producer must use acks=all; the
 * caller closes it. One thread.
 */
public final class GatewayResets {
  private final Producer<byte[], byte[]> producer;
  private final TopicNames topics;

  public GatewayResets(Producer<byte[], byte[]> producer, TopicNames topics) {
    this.producer = producer;
    this.topics = topics;
  }

  /**
   * A written order.
   *
   * @param order its offset on the control topic
   * @param marks offsets of its marks, by partition of the readings
   */
  public record Given(long order, Map<Integer, Long> marks) {}

  /** Same as {@link #give}; returns the offset of the order on the control topic. */
  public long reset(String gatewayId, byte[] nonce) {
    return give(gatewayId, nonce).order();
  }

  /**
   * Waits until the order and all marks are acknowledged.
   *
   * @param nonce secret random bytes, {@link ResetMark#NONCE_BYTES} of them
   * @throws KafkaException if one is not; the message names the missing ones
   */
  public Given give(String gatewayId, byte[] nonce) {
    ControlRecord order =
        ControlRecord.newBuilder()
            .setNonce(ByteString.copyFrom(nonce))
            .setReadingsTopic(topics.readings())
            .setGatewayReset(GatewayReset.newBuilder().setGatewayId(gatewayId))
            .build();
    byte[] key = gatewayId.getBytes(StandardCharsets.UTF_8);
    long offset =
        await(
            producer.send(new ProducerRecord<>(topics.control(), 0, key, order.toByteArray())),
            "nothing was ordered: ");
    return new Given(offset, mark(ResetMark.of(offset, order.getNonce())));
  }

  private Map<Integer, Long> mark(ResetMark mark) {
    Map<Integer, Future<RecordMetadata>> sent = new TreeMap<>();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topics.readings(), partition, null, ResetMark.value());
      mark.mark(record.headers());
      sent.put(partition, producer.send(record));
    }
    Map<Integer, Long> marks = new TreeMap<>();
    TreeSet<Integer> missing = new TreeSet<>(sent.keySet());
    String last = "";
    for (Map.Entry<Integer, Future<RecordMetadata>> one : sent.entrySet()) {
      try {
        marks.put(one.getKey(), await(one.getValue(), ""));
        missing.remove(one.getKey());
      } catch (KafkaException e) {
        last = e.getMessage();
      }
    }
    if (!missing.isEmpty()) {
      throw new KafkaException(
          "the gateway is not reset in partitions "
              + missing
              + " of "
              + topics.readings()
              + "; run it again: "
              + last);
    }
    return marks;
  }

  private static long await(Future<RecordMetadata> sent, String prefix) {
    try {
      return sent.get().offset();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw new KafkaException(prefix + e.getCause().getMessage(), e.getCause());
    }
  }
}

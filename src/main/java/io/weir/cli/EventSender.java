package io.weir.cli;

import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Events to their topics, in batches with sequences of a boot of its own: what the producer sends
 * twice counts once. The order of a key's events is that in which they were given, on each topic.
 * One thread.
 */
final class EventSender {
  private static final int BATCH_EVENTS = 1_000;
  private static final int BATCH_BYTES = 512 << 10;

  private static final class Pending {
    private final EventBatch.Builder batch = EventBatch.newBuilder();
    private int bytes;
    private long sequence;
  }

  private final Producer<byte[], byte[]> producer;
  private final String gatewayId;
  private final String events;
  private final String scheduled;
  private final long bootId;
  private final Map<TopicPartition, Pending> pending = new HashMap<>();
  private volatile Exception failure;
  private long sentEvents;
  private long scheduledEvents;

  /**
   * @param wallClockMs the time of the start
   */
  EventSender(
      Producer<byte[], byte[]> producer,
      String gatewayId,
      String events,
      String scheduled,
      long wallClockMs) {
    this.producer = producer;
    this.gatewayId = gatewayId;
    this.events = events;
    this.scheduled = scheduled;
    this.bootId = wallClockMs << 20 | ThreadLocalRandom.current().nextInt(1 << 20);
  }

  /**
   * Sends an event, at the latest with {@link #flush}.
   *
   * @throws KafkaException if something before was not taken
   */
  void send(Event event) {
    boolean toCome = event.getDueMs() != 0 || event.getCancel();
    if (toCome) {
      scheduledEvents++;
    } else {
      sentEvents++;
    }
    TopicPartition to =
        new TopicPartition(toCome ? scheduled : events, SensorPartition.of(event.getKey()));
    Pending of = pending.computeIfAbsent(to, partition -> new Pending());
    int bytes = event.getSerializedSize();
    if (of.batch.getEventsCount() == BATCH_EVENTS || of.bytes + bytes > BATCH_BYTES) {
      flush(to, of);
    }
    of.batch.addEvents(event);
    of.bytes += bytes;
  }

  private void flush(TopicPartition to, Pending of) {
    requireTaken();
    if (of.batch.getEventsCount() == 0) {
      return;
    }
    byte[] value =
        of.batch
            .setGatewayId(gatewayId)
            .setBootId(bootId)
            .setSequence(++of.sequence)
            .build()
            .toByteArray();
    of.batch.clear();
    of.bytes = 0;
    byte[] key = gatewayId.getBytes(StandardCharsets.UTF_8);
    producer.send(
        new ProducerRecord<>(to.topic(), to.partition(), key, value),
        (metadata, e) -> failure = failure == null ? e : failure);
  }

  /**
   * Sends what is pending, and returns when all was taken.
   *
   * @throws KafkaException if something was not
   */
  void flush() {
    pending.forEach(this::flush);
    producer.flush();
    requireTaken();
  }

  private void requireTaken() {
    if (failure != null) {
      throw failure instanceof KafkaException kafka ? kafka : new KafkaException(failure);
    }
  }

  /** Events that happened. */
  long sent() {
    return sentEvents;
  }

  /** Events that are to come, and those that take them back. */
  long scheduled() {
    return scheduledEvents;
  }
}

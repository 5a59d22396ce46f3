package io.weir.dev.bench;

import io.weir.event.EventColumns;
import io.weir.reading.Limits;
import io.weir.topic.SensorPartition;
import io.weir.wire.EventDecoder;
import io.weir.wire.UndecodableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads events that came due as a user would, committed ones only, in a thread of its own: how late
 * each was there, and whether any stood there before its time.
 */
final class DueEvents implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration STALL = Duration.ofSeconds(90);

  private final long expected;
  private final long[] lateMs;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final EventDecoder decoder = new EventDecoder(Limits.DEFAULT);
  private final Thread reading = new Thread(this::readAll, "due-events");
  private int events;
  private long early;
  private volatile boolean closed;
  private volatile Exception failure;

  DueEvents(String bootstrapServers, String topic, long expected) {
    this.expected = expected;
    this.lateMs = new long[Math.toIntExact(expected)];
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    reading.setDaemon(true);
    reading.start();
  }

  private void readAll() {
    try (consumer) {
      while (!closed && events < expected) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          took(record, System.currentTimeMillis());
        }
      }
    } catch (UndecodableException | RuntimeException e) {
      failure = e;
    }
  }

  /** The record's own time is that of its append. */
  private void took(ConsumerRecord<byte[], byte[]> record, long nowMs) throws UndecodableException {
    EventColumns batch = decoder.decode(record.value());
    for (int i = 0; i < batch.size(); i++) {
      if (events == lateMs.length) {
        throw new IllegalStateException("more than the " + expected + " events came due");
      }
      lateMs[events++] = nowMs - batch.dueMs(i);
      early += record.timestamp() < batch.dueMs(i) ? 1 : 0;
    }
  }

  /**
   * Waits for the last one; what was measured.
   *
   * @throws IllegalStateException if one is missing
   */
  Figures end() {
    join(STALL.toMillis());
    close();
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
    if (events < expected) {
      throw new IllegalStateException("of " + expected + " events " + events + " came due");
    }
    Arrays.sort(lateMs);
    return Figures.of(
        Map.of(
            Figure.EARLY,
            (double) early,
            Figure.P50_MS,
            at(0.5),
            Figure.P99_MS,
            at(0.99),
            Figure.P999_MS,
            at(0.999)));
  }

  private double at(double share) {
    return lateMs[(int) Math.ceil(events * share) - 1];
  }

  private void join(long mostMs) {
    try {
      reading.join(mostMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    join(0);
  }
}

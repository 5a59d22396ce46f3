package io.weir.dev.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Hands on the value of each committed record as soon as it can be read, on a thread of its own.
 */
final class CommittedRecords implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final String bootstrapServers;
  private final String topic;
  private final Taker taker;
  private final Thread thread = new Thread(this::readAll, "reading");
  private volatile boolean closed;
  private volatile RuntimeException failure;

  /** Takes values, on the reading thread. */
  @FunctionalInterface
  interface Taker {
    void take(byte[] value) throws InvalidProtocolBufferException;
  }

  CommittedRecords(String bootstrapServers, String topic, Taker taker) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.taker = taker;
  }

  void start() {
    thread.start();
  }

  /** Throws what ended the reading, if anything did. */
  void requireHealthy() {
    if (failure != null) {
      throw failure;
    }
  }

  private void readAll() {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(
          IntStream.range(0, SensorPartition.COUNT)
              .mapToObj(partition -> new TopicPartition(topic, partition))
              .toList());
      consumer.seekToBeginning(consumer.assignment());
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          taker.take(record.value());
        }
      }
    } catch (InvalidProtocolBufferException e) {
      failure = new IllegalStateException(e);
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /** Ends the thread; it must have been started. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

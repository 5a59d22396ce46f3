package io.weir.internal.serve;

import io.weir.internal.serve.memory.Memory.History;
import io.weir.internal.serve.memory.Stored;
import io.weir.internal.time.MonotonicClock;
import io.weir.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads older records of a sensor from its partition, within bytes and time, two questions at a
 * time. Safe for many threads.
 */
final class TopicHistory {
  private static final int AT_A_TIME = 2;
  private static final long MAX_MS = 10_000;

  /** What a record that is kept takes besides its bytes, with its place in an answer. */
  private static final int KEPT_BYTES = 256;

  private static final Duration POLL = Duration.ofMillis(200);

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Function<Topic, String> names;
  private final long maxBytes;
  private final Semaphore free = new Semaphore(AT_A_TIME);
  private final LongAdder scanned = new LongAdder();

  /**
   * @param consumers opens one that reads committed records, without a group
   * @param names the name of a topic
   * @param maxBytes that one question may read; 0: none
   */
  TopicHistory(
      Supplier<Consumer<byte[], byte[]>> consumers, Function<Topic, String> names, long maxBytes) {
    this.consumers = consumers;
    this.names = names;
    this.maxBytes = maxBytes;
  }

  boolean isOn() {
    return maxBytes > 0;
  }

  long scannedBytes() {
    return scanned.sum();
  }

  /**
   * Records of a sensor, newest first.
   *
   * @param sinceMs append time from which on
   * @throws Problem if others ask already, or Kafka does not answer
   */
  History<Stored> scan(Topic topic, int partition, String sensorId, long sinceMs) {
    if (!free.tryAcquire()) {
      throw Problem.later(2, "other questions read the topic now");
    }
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      return scan(
          consumer, topic, new TopicPartition(names.apply(topic), partition), sensorId, sinceMs);
    } catch (KafkaException e) {
      throw Problem.later(5, "Kafka does not answer: " + e.getMessage());
    } finally {
      free.release();
    }
  }

  private History<Stored> scan(
      Consumer<byte[], byte[]> consumer,
      Topic topic,
      TopicPartition partition,
      String sensorId,
      long sinceMs) {
    long start = MonotonicClock.millis();
    byte[] key = sensorId.getBytes(StandardCharsets.UTF_8);
    List<Stored> found = new ArrayList<>();
    consumer.assign(List.of(partition));
    long end = consumer.endOffsets(List.of(partition)).get(partition);
    OffsetAndTimestamp first =
        consumer.offsetsForTimes(Map.of(partition, Math.max(0, sinceMs))).get(partition);
    consumer.seek(partition, first == null ? end : first.offset());
    long bytes = 0;
    boolean complete = true;
    while (consumer.position(partition) < end) {
      if (bytes + (long) KEPT_BYTES * found.size() > maxBytes
          || MonotonicClock.millis() - start > MAX_MS) {
        complete = false;
        break;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        bytes +=
            Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        if (Arrays.equals(record.key(), key)) {
          Optional<byte[]> bare = TopicReader.bare(record.value());
          bare.ifPresent(
              value ->
                  found.add(
                      new Stored(
                          topic, record.partition(), record.offset(), record.timestamp(), value)));
        }
      }
    }
    scanned.add(bytes);
    Collections.reverse(found);
    return new History<>(found, complete);
  }
}

package io.weir.lab.chaos;

import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the windows topic as a reader would, committed records only, and notifies listeners when a
 * window could be read. Listeners are called in a thread of its own.
 */
final class OutputWatch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Receives windows. */
  interface Listener {
    /**
     * A window can be read.
     *
     * @param appendMs when it was written, by the broker's clock
     * @param nanos when it was read, by this process's monotonic clock
     */
    void window(int partition, long appendMs, long nanos);

    /** Whether it needs no more windows. */
    default boolean isOver() {
      return false;
    }
  }

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread = new Thread(this::run, "output watch");
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile long windows;

  private OutputWatch(KafkaConsumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  static OutputWatch start(String bootstrapServers) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.METADATA_MAX_AGE_CONFIG,
                5000,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(number -> new TopicPartition(TopicNames.DEFAULT.windows(), number))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    OutputWatch watch = new OutputWatch(consumer);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try (consumer) {
      while (true) {
        var records = consumer.poll(POLL);
        long nanos = System.nanoTime();
        for (ConsumerRecord<byte[], byte[]> record : records) {
          for (Listener listener : listeners) {
            listener.window(record.partition(), record.timestamp(), nanos);
          }
        }
        listeners.removeIf(Listener::isOver);
        windows += records.count();
      }
    } catch (WakeupException e) {
      // Closed.
    }
  }

  void add(Listener listener) {
    listeners.add(listener);
  }

  void remove(Listener listener) {
    listeners.remove(listener);
  }

  /** Emissions read so far. */
  long windows() {
    return windows;
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

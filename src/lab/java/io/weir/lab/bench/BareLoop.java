package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The practical limit: Kafka's consumer with its defaults, protobuf-java, a hash map. No state, no
 * transaction, no event time, no checks, no output.
 */
final class BareLoop implements Work {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Task task;
  private final int threads;
  private final List<Worker> workers = new ArrayList<>();
  private final LongAdder processed = new LongAdder();
  private volatile Exception failure;

  BareLoop(Task task, int threads) {
    this.task = task;
    this.threads = threads;
  }

  @Override
  public void start() {
    for (int i = 0; i < threads; i++) {
      workers.add(new Worker(i));
    }
    workers.forEach(Thread::start);
  }

  @Override
  public long processed() {
    if (failure != null) {
      throw new IllegalStateException("the loop failed", failure);
    }
    return processed.sum();
  }

  @Override
  public boolean settled() {
    return true;
  }

  @Override
  public void close() {
    workers.forEach(worker -> worker.consumer.wakeup());
  }

  private final class Worker extends Thread {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Sum> sums = new HashMap<>();

    Worker(int number) {
      super("loop-" + number);
      setDaemon(true);
      consumer =
          new KafkaConsumer<>(
              Map.of(
                  ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                  task.bootstrapServers(),
                  ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                  false),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      List<TopicPartition> own =
          IntStream.range(0, SensorPartition.COUNT)
              .filter(partition -> partition % threads == number)
              .mapToObj(partition -> new TopicPartition(task.topic(), partition))
              .toList();
      consumer.assign(own);
      consumer.seekToBeginning(own);
    }

    @Override
    public void run() {
      try (consumer) {
        while (true) {
          ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
          long readings = 0;
          for (ConsumerRecord<byte[], byte[]> record : records) {
            readings += add(ReadingBatch.parseFrom(record.value()));
          }
          processed.add(readings);
        }
      } catch (WakeupException e) {
        // Closed.
      } catch (InvalidProtocolBufferException | RuntimeException e) {
        failure = e;
      }
    }

    private int add(ReadingBatch batch) {
      int readings = batch.getReadingsCount();
      for (Reading reading : batch.getReadingsList()) {
        sum(reading.getSensorId()).add(reading.getValue());
      }
      for (Series series : batch.getSeriesList()) {
        Sum sum = sum(series.getSensorId());
        int values = series.getValueCount();
        for (int i = 0; i < values; i++) {
          sum.add(series.getValue(i));
        }
        readings += values;
      }
      return readings;
    }

    private Sum sum(String sensorId) {
      return sums.computeIfAbsent(sensorId, id -> new Sum());
    }
  }
}

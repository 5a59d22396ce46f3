package io.weir.peers;

import io.weir.dev.bench.Task;
import io.weir.topic.SensorPartition;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Holds the windows that a job committed against those of a plain pass over the same readings: each
 * once, with the same count, least and most, and a sum that rounding alone explains.
 */
final class PlainPass {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final double ROUNDING = 1e-9;

  private record Name(String sensorId, long startMs) {}

  private final Task task;
  private final String windows;
  private final Map<Name, Total> expected = new HashMap<>();

  PlainPass(Task task, String windows) {
    this.task = task;
    this.windows = windows;
  }

  /**
   * @throws IllegalStateException if a window is doubled or wrong
   */
  void requireSame() {
    List<WindowSummary> got = new ArrayList<>();
    read(windows, record -> got.add(WindowSummary.parseFrom(record.value())));
    for (WindowSummary window : got) {
      Name name = new Name(window.getSensorId(), window.getWindowStartMs());
      if (expected.put(name, new Total()) != null) {
        throw new IllegalStateException("committed twice: " + name);
      }
    }
    EachReading each = new EachReading();
    read(task.topic(), record -> each.deserialize(record, new Adding()));
    got.forEach(this::require);
  }

  private void require(WindowSummary window) {
    Total total = expected.get(new Name(window.getSensorId(), window.getWindowStartMs()));
    boolean same =
        total.count == window.getCount()
            && total.min == window.getMin()
            && total.max == window.getMax()
            && Math.abs(total.sum - window.getSum())
                <= ROUNDING * total.count * Math.max(Math.abs(total.min), Math.abs(total.max));
    if (!same) {
      throw new IllegalStateException(
          "of %s at %d the job counted %d readings with the sum %s, and a plain pass %d with %s"
              .formatted(
                  window.getSensorId(),
                  window.getWindowStartMs(),
                  window.getCount(),
                  window.getSum(),
                  total.count,
                  total.sum));
    }
  }

  private final class Adding implements Collector<Part> {
    @Override
    public void collect(Part part) {
      long startMs = part.timestampMs - Math.floorMod(part.timestampMs, FlinkJob.WINDOW_MS);
      Total total = expected.get(new Name(part.sensorId, startMs));
      if (total != null) {
        total.add(1, part.sum, part.min, part.max);
      }
    }

    @Override
    public void close() {}
  }

  private interface Taker {
    void take(ConsumerRecord<byte[], byte[]> record) throws IOException;
  }

  /** All records up to the ends of the topic, committed ones. */
  private void read(String topic, Taker taker) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            task.bootstrapServers(),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed");
    List<TopicPartition> partitions =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(number -> new TopicPartition(topic, number))
            .toList();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          taker.take(record);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(topic + " cannot be read", e);
    }
  }
}

package io.weir.cli;

import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What is on weir.readings, as the aggregator counts it: records with a sequence that was there
 * count once.
 */
final class TopicReadings implements AutoCloseable {
  private final Map<String, Integer> counts = new HashMap<>();
  private final Set<String> sequences = new HashSet<>();

  private final KafkaConsumer<byte[], byte[]> consumer;

  TopicReadings(String servers) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        IntStream.range(0, 64).mapToObj(p -> new TopicPartition("weir.readings", p)).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** How often each reading is on the topic now, by {@code id@ms=value}. */
  static Map<String, Integer> counts(String servers) throws Exception {
    try (TopicReadings readings = new TopicReadings(servers)) {
      return readings.counts();
    }
  }

  /** The same; reads only what came since it was asked. */
  Map<String, Integer> counts() throws Exception {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        add(record.partition(), ReadingBatch.parseFrom(record.value()));
      }
    }
    return counts;
  }

  private void add(int partition, ReadingBatch batch) {
    if (sequences.add(partition + "/" + batch.getBootId() + "/" + batch.getSequence())) {
      batch.getSeriesList().forEach(this::add);
    }
  }

  /** By milliseconds: the topic has no nanoseconds. */
  private void add(Series series) {
    long timestampMs = series.getStartTimestampMs();
    for (int i = 0; i < series.getValueCount(); i++) {
      timestampMs += series.getTimestampDeltaMs(i);
      String reading = series.getSensorId() + "@" + timestampMs + "=" + series.getValue(i);
      counts.merge(reading, 1, Integer::sum);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}

package io.weir.internal.collect;

import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
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
 * What Weir counts of what is on the topics: each sequence of a boot once, and none of a boot once
 * a later one came to its partition. Plain sets, for tests.
 *
 * @param readings in the order in which they count
 * @param batches that are there, repeats included
 */
record Arrived(List<Reading> readings, List<Event> events, List<Event> scheduled, int batches) {
  static Arrived read(Map<String, Object> client, TopicNames names) {
    List<Reading> readings = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    List<Event> scheduled = new ArrayList<>();
    int[] batches = new int[1];
    Seen seen = new Seen();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      for (Topic topic : List.of(Topic.READINGS, Topic.EVENTS, Topic.SCHEDULED)) {
        for (ConsumerRecord<byte[], byte[]> record : all(consumer, names.of(topic))) {
          batches[0]++;
          if (topic == Topic.READINGS) {
            ReadingBatch batch = ReadingBatch.parseFrom(record.value());
            if (seen.isNew(record, batch.getBootId(), batch.getSequence())) {
              addTo(readings, batch, record.partition());
            }
          } else {
            EventBatch batch = EventBatch.parseFrom(record.value());
            if (seen.isNew(record, batch.getBootId(), batch.getSequence())) {
              (topic == Topic.EVENTS ? events : scheduled).addAll(batch.getEventsList());
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Arrived(readings, events, scheduled, batches[0]);
  }

  private static final class Seen {
    private final Map<TopicPartition, Long> boots = new HashMap<>();
    private final Set<List<Object>> sequences = new HashSet<>();

    boolean isNew(ConsumerRecord<byte[], byte[]> record, long bootId, long sequence) {
      TopicPartition partition = new TopicPartition(record.topic(), record.partition());
      long newest = boots.merge(partition, bootId, Math::max);
      return bootId == newest && sequences.add(List.of(partition, bootId, sequence));
    }
  }

  private static void addTo(List<Reading> readings, ReadingBatch batch, int partition) {
    for (Series series : batch.getSeriesList()) {
      if (SensorPartition.of(series.getSensorId()) != partition) {
        throw new AssertionError(series.getSensorId() + " in partition " + partition);
      }
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        readings.add(
            Reading.newBuilder()
                .setSensorId(series.getSensorId())
                .setTimestampMs(timestampMs)
                .setValue(series.getValue(i))
                .setQualityValue(series.getQualityCount() == 0 ? 1 : series.getQualityValue(i))
                .build());
      }
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> all(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    while (partitions.stream().anyMatch(of -> consumer.position(of) < ends.get(of))) {
      consumer.poll(Duration.ofMillis(200)).forEach(records::add);
    }
    return records;
  }
}

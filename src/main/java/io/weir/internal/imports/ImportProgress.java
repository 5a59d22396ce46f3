package io.weir.internal.imports;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next offset of each partition of an import, on a compacted topic: committed offsets of groups
 * expire. Keys are {@code name topic partition}, values {@code topic-id offset}, in ASCII.
 */
final class ImportProgress {
  private static final Logger LOG = LoggerFactory.getLogger(ImportProgress.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /** A position in one incarnation of a topic. */
  record Mark(Uuid topicId, long offset) {}

  private ImportProgress() {}

  static ProducerRecord<byte[], byte[]> record(
      ImportSettings settings, TopicPartition partition, Mark mark) {
    String key = settings.name() + " " + partition.topic() + " " + partition.partition();
    String value = mark.topicId() + " " + mark.offset();
    return new ProducerRecord<>(
        settings.progress(),
        0,
        key.getBytes(StandardCharsets.US_ASCII),
        value.getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads the topic to its end. */
  static Map<TopicPartition, Mark> read(ImportSettings settings, Consumer<byte[], byte[]> reader) {
    TopicPartition only = new TopicPartition(settings.progress(), 0);
    reader.assign(List.of(only));
    reader.seekToBeginning(List.of(only));
    long end = reader.endOffsets(List.of(only)).get(only);
    Map<TopicPartition, Mark> marks = new HashMap<>();
    long foreign = 0;
    long firstForeign = -1;
    while (reader.position(only) < end) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
        if (!add(settings, record, marks)) {
          firstForeign = foreign++ == 0 ? record.offset() : firstForeign;
        }
      }
    }
    if (foreign > 0) {
      LOG.warn(
          "topic {} has {} records that no import wrote, the first at offset {}; they are passed"
              + " over",
          settings.progress(),
          foreign,
          firstForeign);
    }
    return marks;
  }

  /** Adds the mark of a record of this import; false for a record that no import wrote. */
  private static boolean add(
      ImportSettings settings,
      ConsumerRecord<byte[], byte[]> record,
      Map<TopicPartition, Mark> marks) {
    try {
      String[] key = new String(record.key(), StandardCharsets.US_ASCII).split(" ");
      if (!key[0].equals(settings.name())) {
        return true;
      }
      TopicPartition partition = new TopicPartition(key[1], Integer.parseInt(key[2]));
      if (record.value() == null) {
        marks.remove(partition);
        return true;
      }
      String[] value = new String(record.value(), StandardCharsets.US_ASCII).split(" ");
      long offset = Long.parseLong(value[1]);
      if (partition.partition() < 0 || offset < 0) {
        return false;
      }
      marks.put(partition, new Mark(Uuid.fromString(value[0]), offset));
      return true;
    } catch (RuntimeException notOurs) {
      return false;
    }
  }
}

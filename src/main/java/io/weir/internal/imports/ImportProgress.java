package io.weir.internal.imports;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next offset of each partition of an import, on a compacted topic: committed offsets of groups
 * expire. Keys are {@code name topic partition}, values {@code topic-id offset leader-epoch}, the
 * last one where it is known, in ASCII. With {@code start} behind the key it is where a partition
 * begins that no instance has had: decided once for all that there were, by the instance that was
 * first.
 */
final class ImportProgress {
  private static final Logger LOG = LoggerFactory.getLogger(ImportProgress.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String START = "start";

  /** For a minute: a transaction of an import is open for much less. */
  private static final int MOST_IDLE_POLLS = 600;

  /** A position in one incarnation of a topic. */
  record Mark(Uuid topicId, OffsetAndMetadata next) {
    Mark(Uuid topicId, long offset) {
      this(topicId, new OffsetAndMetadata(offset));
    }

    private String text() {
      String epoch = next.leaderEpoch().map(each -> " " + each).orElse("");
      return topicId + " " + next.offset() + epoch;
    }
  }

  private ImportProgress() {}

  static ProducerRecord<byte[], byte[]> record(
      ImportSettings settings, TopicPartition partition, Mark mark) {
    return record(settings, key(settings, partition), mark);
  }

  /** Where a partition begins that no instance has had. */
  static ProducerRecord<byte[], byte[]> start(
      ImportSettings settings, TopicPartition partition, Mark mark) {
    return record(settings, key(settings, partition) + " " + START, mark);
  }

  private static String key(ImportSettings settings, TopicPartition partition) {
    return settings.name() + " " + partition.topic() + " " + partition.partition();
  }

  private static ProducerRecord<byte[], byte[]> record(
      ImportSettings settings, String key, Mark mark) {
    return new ProducerRecord<>(
        settings.progress(),
        0,
        key.getBytes(StandardCharsets.US_ASCII),
        mark.text().getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads the topic to its end: next offsets, and starts of partitions without any.
   *
   * @throws KafkaException if a transaction stays open, which hides what others have committed
   */
  static Map<TopicPartition, Mark> read(
      ImportSettings settings,
      Consumer<byte[], byte[]> reader,
      ToLongFunction<TopicPartition> ends) {
    TopicPartition only = new TopicPartition(settings.progress(), 0);
    reader.assign(List.of(only));
    reader.seekToBeginning(List.of(only));
    long end = ends.applyAsLong(only);
    Map<TopicPartition, Mark> marks = new HashMap<>();
    Map<TopicPartition, Mark> starts = new HashMap<>();
    long foreign = 0;
    long firstForeign = -1;
    int idle = 0;
    while (reader.position(only) < end) {
      ConsumerRecords<byte[], byte[]> polled = reader.poll(POLL);
      idle = polled.isEmpty() ? idle + 1 : 0;
      if (idle > MOST_IDLE_POLLS) {
        throw new KafkaException(
            only + ": a transaction is open since offset " + reader.position(only));
      }
      for (ConsumerRecord<byte[], byte[]> record : polled) {
        if (!add(settings, record, marks, starts)) {
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
    starts.forEach(marks::putIfAbsent);
    return marks;
  }

  /** Adds the mark of a record of this import; false for a record that no import wrote. */
  private static boolean add(
      ImportSettings settings,
      ConsumerRecord<byte[], byte[]> record,
      Map<TopicPartition, Mark> marks,
      Map<TopicPartition, Mark> starts) {
    try {
      String[] key = new String(record.key(), StandardCharsets.US_ASCII).split(" ");
      if (!key[0].equals(settings.name())) {
        return true;
      }
      TopicPartition partition = new TopicPartition(key[1], Integer.parseInt(key[2]));
      Map<TopicPartition, Mark> of = key.length > 3 && key[3].equals(START) ? starts : marks;
      if (record.value() == null) {
        of.remove(partition);
        return true;
      }
      String[] value = new String(record.value(), StandardCharsets.US_ASCII).split(" ");
      long offset = Long.parseLong(value[1]);
      if (partition.partition() < 0 || offset < 0) {
        return false;
      }
      Optional<Integer> epoch =
          value.length > 2 ? Optional.of(Integer.valueOf(value[2])) : Optional.empty();
      of.put(
          partition, new Mark(Uuid.fromString(value[0]), new OffsetAndMetadata(offset, epoch, "")));
      return true;
    } catch (RuntimeException notOurs) {
      return false;
    }
  }
}

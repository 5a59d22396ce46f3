package io.weir.summary;

import io.weir.internal.fetch.BoundedConsumer;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads the last committed summary of every window on a windows topic, up to the end offsets at the
 * time of opening. Windows are returned partition by partition, in no particular order.
 *
 * <p>It holds one partition at a time, so memory is bounded by the windows of the largest
 * partition, about 300 bytes each. It has no consumer group and commits nothing. Not thread-safe.
 */
public final class LatestSummaryReader implements Iterator<WindowSummary>, AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  /** Short, because a pending fetch of a finished partition delays the next partition. */
  private static final int FETCH_WAIT_MS = 10;

  private final SummaryDeserializer deserializer = new SummaryDeserializer();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> begins;
  private final Map<TopicPartition, Long> ends;
  private final Iterator<TopicPartition> partitions;
  private Iterator<WindowSummary> summaries = Collections.emptyIterator();

  private LatestSummaryReader(
      KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    this.consumer = consumer;
    this.begins = consumer.beginningOffsets(partitions);
    this.ends = consumer.endOffsets(partitions);
    this.partitions = partitions.iterator();
  }

  /**
   * Opens a windows topic.
   *
   * @param kafka a consumer's settings, at least {@code bootstrap.servers}; this method sets
   *     isolation level and offset reset
   * @throws UnknownTopicOrPartitionException if the topic does not exist
   * @throws org.apache.kafka.common.KafkaException if the cluster does not respond
   */
  public static LatestSummaryReader open(Map<String, ?> kafka, String topic) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    KafkaConsumer<byte[], byte[]> consumer =
        BoundedConsumer.open(settings, BoundedConsumer.RECORD_BYTES);
    try {
      List<PartitionInfo> found = consumer.partitionsFor(topic);
      if (found.isEmpty()) {
        throw new UnknownTopicOrPartitionException("topic " + topic + " does not exist");
      }
      return new LatestSummaryReader(
          consumer, found.stream().map(p -> new TopicPartition(topic, p.partition())).toList());
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  /**
   * Whether there is another window; reads the next partition if necessary.
   *
   * @throws KafkaException if the cluster does not respond, a record is not a summary, or the topic
   *     was recreated during the read
   */
  @Override
  public boolean hasNext() {
    while (!summaries.hasNext() && partitions.hasNext()) {
      summaries = fold(partitions.next());
    }
    return summaries.hasNext();
  }

  @Override
  public WindowSummary next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return summaries.next();
  }

  /** The last record of each window in a partition. */
  private Iterator<WindowSummary> fold(TopicPartition partition) {
    Map<WindowKey, WindowSummary> last = new LinkedHashMap<>();
    long end = ends.get(partition);
    long position = begins.get(partition);
    if (position < end) {
      consumer.assign(List.of(partition));
      consumer.seek(partition, position);
    }
    for (; position < end; position = consumer.position(partition)) {
      var records = consumer.poll(POLL);
      if (records.isEmpty() || consumer.position(partition) < position) {
        requireSame(partition, position, end);
      }
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.offset() < end && record.value() != null) {
          WindowSummary summary = deserializer.deserialize(record.topic(), record.value());
          last.put(WindowKey.of(summary), summary);
        }
      }
    }
    return last.values().iterator();
  }

  /** Also throws after the timeout if no broker responds. */
  private void requireSame(TopicPartition partition, long position, long end) {
    long endNow = consumer.endOffsets(List.of(partition)).get(partition);
    if (endNow < end || consumer.position(partition) < position) {
      throw new KafkaException(
          "topic "
              + partition.topic()
              + " was recreated, or lost records, while it was read: partition "
              + partition.partition()
              + " ended at offset "
              + end
              + ", now at "
              + endNow
              + "; read it again");
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}

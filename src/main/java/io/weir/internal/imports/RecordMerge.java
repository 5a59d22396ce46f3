package io.weir.internal.imports;

import io.weir.internal.fetch.PollBudget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Fetched records of several partitions, the oldest first: no partition runs ahead of others while
 * an import catches up, which would make their readings late. If a partition has more records and
 * none of them was fetched, the others wait for it, for a bounded time. One thread.
 */
final class RecordMerge {
  /** A partition with as many fetched records is paused. */
  private static final int FULL_RECORDS = Import.FULL_POLL;

  /** All partitions with fetched records are paused at as many bytes. */
  private static final long FULL_BYTES = 16 << 20;

  private static final class Source {
    private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    private long emptySinceNanos;

    long timestamp() {
      return records.element().timestamp();
    }
  }

  private final Consumer<byte[], byte[]> consumer;
  private final long maxIdleNanos;
  private final LongSupplier nanos;
  private final Map<TopicPartition, Source> sources = new HashMap<>();
  private final PriorityQueue<Source> heads =
      new PriorityQueue<>(Comparator.comparingLong(Source::timestamp));
  private long bytes;
  private boolean waiting;

  RecordMerge(Consumer<byte[], byte[]> consumer, Duration maxIdle, LongSupplier nanos) {
    this.consumer = consumer;
    this.maxIdleNanos = maxIdle.toNanos();
    this.nanos = nanos;
  }

  void assigned(Collection<TopicPartition> partitions) {
    partitions.forEach(each -> sourceOf(each).emptySinceNanos = nanos.getAsLong());
  }

  private Source sourceOf(TopicPartition partition) {
    return sources.computeIfAbsent(partition, none -> new Source());
  }

  /** Forgets their records: the next owner reads them. */
  void revoked(Collection<TopicPartition> partitions) {
    for (TopicPartition each : partitions) {
      Source gone = sources.remove(each);
      if (gone != null) {
        heads.remove(gone);
        gone.records.forEach(record -> bytes -= PollBudget.bytesOf(record));
      }
    }
  }

  /** Adds the records of a poll, and pauses the partitions that have many. */
  void add(ConsumerRecords<byte[], byte[]> polled) {
    for (TopicPartition each : polled.partitions()) {
      Source source = sourceOf(each);
      boolean first = source.records.isEmpty();
      for (ConsumerRecord<byte[], byte[]> record : polled.records(each)) {
        source.records.add(record);
        bytes += PollBudget.bytesOf(record);
      }
      if (first) {
        heads.add(source);
      }
    }
    Set<TopicPartition> full =
        sources.entrySet().stream()
            .filter(each -> isFull(each.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    Set<TopicPartition> resumed = new HashSet<>(consumer.paused());
    resumed.removeAll(full);
    consumer.resume(resumed);
    consumer.pause(full);
    waiting = isWaiting();
  }

  private boolean isFull(Source source) {
    return source.records.size() >= FULL_RECORDS
        || bytes >= FULL_BYTES && !source.records.isEmpty();
  }

  private boolean isWaiting() {
    return sources.entrySet().stream().anyMatch(each -> isWaiting(each.getKey(), each.getValue()));
  }

  private boolean isWaiting(TopicPartition partition, Source source) {
    return source.records.isEmpty()
        && nanos.getAsLong() - source.emptySinceNanos < maxIdleNanos
        && consumer.currentLag(partition).orElse(1) > 0;
  }

  /** The oldest record; null if there is none, or another partition is waited for. */
  ConsumerRecord<byte[], byte[]> peek() {
    return waiting || heads.isEmpty() ? null : heads.element().records.element();
  }

  /** Removes the oldest record. */
  void remove() {
    Source source = heads.remove();
    bytes -= PollBudget.bytesOf(source.records.remove());
    if (source.records.isEmpty()) {
      source.emptySinceNanos = nanos.getAsLong();
      waiting = isWaiting();
    } else {
      heads.add(source);
    }
  }

  boolean isEmpty() {
    return heads.isEmpty();
  }

  /** Records of each partition that were not removed yet; without those of unknown number. */
  Map<TopicPartition, Long> lags() {
    Map<TopicPartition, Long> lags = new HashMap<>();
    sources.forEach(
        (each, source) ->
            consumer
                .currentLag(each)
                .ifPresent(lag -> lags.put(each, lag + source.records.size())));
    return lags;
  }

  /** The offsets to commit, also behind what follows the records and is no record. */
  Map<TopicPartition, OffsetAndMetadata> offsets(Map<TopicPartition, OffsetAndMetadata> read) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(read);
    offsets.replaceAll(
        (each, next) ->
            sourceOf(each).records.isEmpty()
                ? new OffsetAndMetadata(consumer.position(each), next.leaderEpoch(), "")
                : next);
    return offsets;
  }
}

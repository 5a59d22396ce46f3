package io.weir.internal.redrive;

import io.weir.internal.wire.ResetMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds out whether another copy of a refused batch was counted. Usually the application knows
 * this, and drops the batch as a duplicate; after a reset of the gateway it does not. So the
 * readings topic is read: a copy on it without a dead letter was counted, or will be. One thread.
 */
final class CountedCopies {
  /** Append times may go back by this duration. */
  private static final long CLOCKS_MS = 60 * 60 * 1000L;

  private final String readings;
  private final ResetGateways resets;
  private final long maxFutureSkewMs;

  /** The positions of copies that became dead letters, for each batch in question. */
  private final Map<BatchName, Set<Long>> refusedAt = new HashMap<>();

  private final Set<BatchName> counted = new HashSet<>();
  private final Map<Integer, Long> missingThroughMs = new HashMap<>();

  /** The orders whose marks were found, by partition. */
  private final Map<Integer, Set<Long>> carriedOut = new HashMap<>();

  /**
   * @param readings the topic of readings
   * @param maxFutureSkewMs largest lead of a boot's clock over its append times
   */
  CountedCopies(String readings, ResetGateways resets, long maxFutureSkewMs) {
    this.readings = readings;
    this.resets = resets;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /** Adds a dead letter of the running life; to be called for all of them before {@link #look}. */
  void add(RedriveRecord letter, Optional<BatchName> itsBatch) {
    boolean ofReadings = letter.originTopic().filter(readings::equals).isPresent();
    itsBatch
        .filter(batch -> ofReadings && resets.mayHaveForgotten(batch))
        .ifPresent(
            batch ->
                refusedAt
                    .computeIfAbsent(batch, each -> new HashSet<>())
                    .add(letter.originOffset()));
  }

  /**
   * Reads the readings topic, if there are batches in question.
   *
   * @param batchOf returns the sequenced batch of a record of the readings
   */
  void look(
      Consumer<byte[], byte[]> reader,
      Function<ConsumerRecord<byte[], byte[]>, Optional<BatchName>> batchOf) {
    Map<Integer, Long> sinceMs = new TreeMap<>();
    for (BatchName batch : refusedAt.keySet()) {
      long resetMs = resets.last(batch.gatewayId()).appendMs();
      long firstMs = Math.min(earliestMs(batch), resetMs) - CLOCKS_MS;
      sinceMs.merge(batch.partition(), firstMs, Math::min);
    }
    for (Map.Entry<Integer, Long> each : sinceMs.entrySet()) {
      TopicPartition partition = new TopicPartition(readings, each.getKey());
      TopicScan first = new TopicScan(reader, List.of(partition), 0);
      missingThroughMs.put(partition.partition(), missingThrough(reader, partition, first));
      TopicScan pass = new TopicScan(reader, List.of(partition), each.getValue());
      while (!pass.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          if (ResetMark.is(record.value(), record.headers())) {
            ResetMark.read(record.headers()).ifPresent(mark -> carriedOut(record, mark));
          }
          batchOf
              .apply(record)
              .filter(refusedAt::containsKey)
              .filter(batch -> !refusedAt.get(batch).contains(record.offset()))
              .ifPresent(counted::add);
        }
      }
    }
  }

  private void carriedOut(ConsumerRecord<byte[], byte[]> record, ResetMark mark) {
    carriedOut.computeIfAbsent(record.partition(), each -> new HashSet<>()).add(mark.offset());
  }

  /** The latest possible append time of a deleted record. */
  private static long missingThrough(
      Consumer<byte[], byte[]> reader, TopicPartition partition, TopicScan log) {
    if (reader.position(partition) == 0) {
      return Long.MIN_VALUE;
    }
    List<ConsumerRecord<byte[], byte[]>> first = new ArrayList<>();
    while (first.isEmpty() && !log.isDone()) {
      first.addAll(log.next());
    }
    return first.isEmpty() ? Long.MAX_VALUE : first.get(0).timestamp() + CLOCKS_MS;
  }

  private long earliestMs(BatchName batch) {
    return batch.earliestMs() - maxFutureSkewMs;
  }

  /** Whether there are no batches in question. */
  boolean isEmpty() {
    return refusedAt.isEmpty();
  }

  /** Whether a copy of a batch was counted, according to the retained readings. */
  boolean isCounted(BatchName batch) {
    return counted.contains(batch);
  }

  /**
   * Whether a counted copy may have been deleted since, or may still be forgotten: in front of the
   * mark of the reset, which was not on the topic yet.
   */
  boolean isUnknown(BatchName batch) {
    if (!refusedAt.containsKey(batch)) {
      return false;
    }
    long missingMs = missingThroughMs.get(batch.partition());
    ResetGateways.Order reset = resets.last(batch.gatewayId());
    boolean markMayBeDeleted = reset.appendMs() - CLOCKS_MS <= missingMs;
    return earliestMs(batch) <= missingMs
        || !markMayBeDeleted
            && !carriedOut.getOrDefault(batch.partition(), Set.of()).contains(reset.offset());
  }
}

package io.weir.redrive;

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
 * Whether another copy of a batch that was refused was counted. Mostly the application knows, and
 * takes what is sent for a duplicate; after its gateway was reset it knows no more. So the readings
 * are looked through: a copy that is there, and of which there is no dead letter, was counted, or
 * will be. One thread.
 */
final class CountedCopies {
  /** Append times may go back by so much. */
  private static final long CLOCKS_MS = 60 * 60 * 1000L;

  private final String readings;
  private final ResetGateways resets;
  private final long maxFutureSkewMs;

  /** Where copies were that became dead letters, of each batch that is asked about. */
  private final Map<BatchName, Set<Long>> refusedAt = new HashMap<>();

  private final Set<BatchName> counted = new HashSet<>();
  private final Map<Integer, Long> missingThroughMs = new HashMap<>();

  /**
   * @param readings the topic of readings
   * @param maxFutureSkewMs how far a boot's clock may be ahead of its append times
   */
  CountedCopies(String readings, ResetGateways resets, long maxFutureSkewMs) {
    this.readings = readings;
    this.resets = resets;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /** Takes a dead letter in; all of them come before {@link #look}. */
  void letter(RedriveRecord letter, Optional<BatchName> itsBatch) {
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
   * Looks through the readings, where there is anything to look for.
   *
   * @param batchOf the sequenced batch of a record of the readings
   */
  void look(
      Consumer<byte[], byte[]> reader,
      Function<ConsumerRecord<byte[], byte[]>, Optional<BatchName>> batchOf) {
    Map<Integer, Long> sinceMs = new TreeMap<>();
    for (BatchName batch : refusedAt.keySet()) {
      sinceMs.merge(batch.partition(), earliestMs(batch) - CLOCKS_MS, Math::min);
    }
    for (Map.Entry<Integer, Long> each : sinceMs.entrySet()) {
      TopicPartition partition = new TopicPartition(readings, each.getKey());
      TopicScan first = new TopicScan(reader, List.of(partition), 0);
      missingThroughMs.put(partition.partition(), missingThrough(reader, partition, first));
      TopicScan pass = new TopicScan(reader, List.of(partition), each.getValue());
      while (!pass.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          batchOf
              .apply(record)
              .filter(refusedAt::containsKey)
              .filter(batch -> !refusedAt.get(batch).contains(record.offset()))
              .ifPresent(counted::add);
        }
      }
    }
  }

  /** The latest append time that a record which was deleted may have had. */
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

  /** Whether nothing is asked about. */
  boolean isEmpty() {
    return refusedAt.isEmpty();
  }

  /** Whether a copy of a batch was counted, as far as the readings show. */
  boolean isCounted(BatchName batch) {
    return counted.contains(batch);
  }

  /** Whether a copy that was counted may have been deleted since. */
  boolean isUnknown(BatchName batch) {
    return refusedAt.containsKey(batch)
        && earliestMs(batch) <= missingThroughMs.get(batch.partition());
  }
}

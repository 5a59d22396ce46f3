package io.weir.internal.sink;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acquires partitions, and checks that the topic still has their next record. One thread. */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);

  private final Consumer<byte[], byte[]> consumer;
  private final Function<Collection<String>, Map<String, Uuid>> topicIds;
  private final boolean skipLost;
  private final SinkCounters counters;

  /**
   * Partitions that lost what was read of them, by the ownership that read it. Another owner asks
   * the broker again: its position has a leader epoch too.
   */
  private final Map<TopicPartition, Lost> losses = new HashMap<>();

  private record Lost(PartitionOwnership by, long fromOffset) {
    boolean isFoundBefore(PartitionOwnership next) {
      return next.topicId().equals(by.topicId()) && next.epoch() == by.epoch() + 1;
    }
  }

  /**
   * @param topicIds the present ids of topics by name
   */
  Takeover(
      Consumer<byte[], byte[]> consumer,
      Function<Collection<String>, Map<String, Uuid>> topicIds,
      boolean skipLost,
      SinkCounters counters) {
    this.consumer = consumer;
    this.topicIds = topicIds;
    this.skipLost = skipLost;
    this.counters = counters;
  }

  /**
   * Acquires partitions, then reads their end offsets: the previous owner is fenced, and its writes
   * are before these offsets.
   *
   * @throws SinkRefusedException if records were deleted before they were written
   */
  List<PartitionOwnership> open(Connection connection, Set<TopicPartition> partitions)
      throws SQLException {
    Map<String, List<TopicPartition>> byTopic =
        partitions.stream().collect(Collectors.groupingBy(TopicPartition::topic));
    Map<String, Uuid> ids = topicIds.apply(byTopic.keySet());
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    List<PartitionOwnership> ownerships = new ArrayList<>();
    for (Map.Entry<String, List<TopicPartition>> entry : byTopic.entrySet()) {
      Map<Integer, Long> from = new HashMap<>();
      entry.getValue().forEach(partition -> from.put(partition.partition(), begins.get(partition)));
      ownerships.addAll(
          OffsetTable.takeOver(connection, entry.getKey(), ids.get(entry.getKey()), from));
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<PartitionOwnership> owned = new ArrayList<>();
    for (PartitionOwnership ownership : ownerships) {
      long begin = begins.get(ownership.partition());
      owned.add(checked(connection, ownership, begin, ends.get(ownership.partition())));
    }
    return owned;
  }

  /**
   * The next {@link #open} takes into account that partitions lost their end, and may have grown
   * again.
   *
   * @param owned by this process
   * @param from the first lost offsets, if known
   */
  void lostEnds(Collection<PartitionOwnership> owned, Map<TopicPartition, OffsetAndMetadata> from) {
    for (PartitionOwnership by : owned) {
      OffsetAndMetadata known = from.get(by.partition());
      losses.put(by.partition(), new Lost(by, known == null ? 0 : known.offset()));
    }
  }

  private PartitionOwnership checked(
      Connection connection, PartitionOwnership ownership, long begin, long end)
      throws SQLException {
    Lost lost = losses.remove(ownership.partition());
    boolean isLost = lost != null && lost.isFoundBefore(ownership);
    long left = isLost ? Math.min(end, lost.fromOffset()) : end;
    if (ownership.nextOffset() >= begin && ownership.nextOffset() <= left) {
      return ownership;
    }
    boolean deleted = ownership.nextOffset() < begin;
    String what =
        deleted
            ? "offsets %d to %d of %s were deleted before they were written"
                .formatted(ownership.nextOffset(), begin - 1, ownership.partition())
            : "%s: rows go up to offset %d, but from %d on it lost records"
                .formatted(ownership.partition(), ownership.nextOffset(), left);
    if (!skipLost) {
      throw new SinkRefusedException(
          what
              + "; weir sink --skip-lost continues at "
              + begin
              + ", and counts the skipped offsets");
    }
    LOG.warn("{}; continuing at {}", what, begin);
    counters.lost(deleted ? begin - ownership.nextOffset() : 0);
    return OffsetTable.continueAt(connection, ownership, begin, !deleted);
  }
}

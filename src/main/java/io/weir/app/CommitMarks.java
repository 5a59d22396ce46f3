package io.weir.app;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What each committed offset says about the state that belongs to it: the offset after the last
 * record that was applied. The committed offset itself does not tell: it is behind the markers of
 * transactions too, which change no state. A state that ends before its mark is lost, whatever is
 * left of the topic.
 *
 * <p>A mark stands behind the metadata that Kafka Streams commits with an offset, and is taken away
 * again before Streams reads it. Safe for many threads.
 */
final class CommitMarks {
  private static final String MARK = ";applied=";

  private final Function<TopicPartition, OptionalLong> stateEnds;
  private final Map<TopicPartition, Optional<Committed>> found = new ConcurrentHashMap<>();
  private final Map<TopicPartition, NewPosition> newPositions = new ConcurrentHashMap<>();

  /**
   * What is committed of a partition.
   *
   * @param offset where reading goes on
   * @param applied the offset after the last record that was applied; empty where the offset was
   *     not committed by an application of this version: by a person's tool
   */
  record Committed(long offset, OptionalLong applied) {
    /** Whether a state was committed with it, and ended there. */
    boolean isOfState(long nextOffset) {
      return applied.isPresent() && applied.getAsLong() == nextOffset;
    }
  }

  /** Where a consumer is to read; only further on, or also back. */
  private record NewPosition(long offset, boolean isBack) {}

  /**
   * @param stateEnds the offset after the last record that was applied to the state of a partition
   *     that the calling thread runs; empty for one that it does not run
   */
  CommitMarks(Function<TopicPartition, OptionalLong> stateEnds) {
    this.stateEnds = stateEnds;
  }

  /** Offsets that are about to be committed by the thread that runs their tasks, with marks. */
  Map<TopicPartition, OffsetAndMetadata> mark(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> marked = new HashMap<>(offsets);
    marked.replaceAll(
        (partition, offset) -> {
          OptionalLong end = stateEnds.apply(partition);
          return end.isEmpty() ? offset : with(offset, offset.metadata() + MARK + end.getAsLong());
        });
    return marked;
  }

  /** Offsets as Streams committed them. What they were marked with is kept. */
  Map<TopicPartition, OffsetAndMetadata> read(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> plain = new HashMap<>(offsets);
    plain.forEach((partition, offset) -> found.put(partition, committed(offset)));
    plain.replaceAll(
        (partition, offset) -> offset == null ? null : with(offset, withoutMark(offset)));
    return plain;
  }

  /** What was committed of a partition before its task began; empty if nothing was. */
  Optional<Committed> of(TopicPartition partition) {
    return found.getOrDefault(partition, Optional.empty());
  }

  /** Whether nothing was committed of a partition before its task began, which has just begun. */
  boolean isUncommitted(TopicPartition partition) {
    Optional<Committed> committed = found.get(partition);
    return committed != null && committed.isEmpty();
  }

  /** The consumer of a partition gets another position before it polls again. */
  void readFrom(TopicPartition partition, long offset, boolean isBack) {
    newPositions.put(partition, new NewPosition(offset, isBack));
  }

  /** Gives a consumer, which is about to poll, its new positions. */
  void seek(Consumer<?, ?> consumer) {
    if (newPositions.isEmpty()) {
      return;
    }
    for (TopicPartition partition : consumer.assignment()) {
      NewPosition next = newPositions.remove(partition);
      if (next != null && (next.isBack || consumer.position(partition) < next.offset)) {
        consumer.seek(partition, next.offset);
      }
    }
  }

  /** Partitions are no more those of the consumer. */
  void revoked(Collection<TopicPartition> partitions) {
    newPositions.keySet().removeAll(partitions);
  }

  /** The state of a partition fits where its reading goes on. */
  void goneOn(TopicPartition partition) {
    found.remove(partition);
  }

  /** What an offset says that may be marked; empty for none. */
  static Optional<Committed> committed(OffsetAndMetadata offset) {
    if (offset == null) {
      return Optional.empty();
    }
    String metadata = offset.metadata();
    int at = metadata.lastIndexOf(MARK);
    return Optional.of(
        new Committed(
            offset.offset(),
            at < 0
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(metadata.substring(at + MARK.length())))));
  }

  private static String withoutMark(OffsetAndMetadata offset) {
    int at = offset.metadata().lastIndexOf(MARK);
    return at < 0 ? offset.metadata() : offset.metadata().substring(0, at);
  }

  private static OffsetAndMetadata with(OffsetAndMetadata offset, String metadata) {
    return new OffsetAndMetadata(offset.offset(), offset.leaderEpoch(), metadata);
  }
}

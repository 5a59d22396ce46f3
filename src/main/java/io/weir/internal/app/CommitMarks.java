package io.weir.internal.app;

import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.store.ThreadStores;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Marks in committed offsets: the offset after the last record that was applied to the state. The
 * committed offset itself is no substitute: it is after transaction markers too, which do not
 * change state. A state that ends before its mark is lost, whatever the topic still contains.
 *
 * <p>A mark is appended to the metadata that Kafka Streams commits with an offset, and removed
 * before Streams reads it. Safe for many threads.
 */
final class CommitMarks {
  private static final String MARK = ";applied=";

  /** Instead of a mark: the offset from which an application that has applied nothing reads. */
  private static final String START = ";start=";

  /** In front of a mark: the {@link RunningLife} of the state. */
  private static final String LIFE = ";life=";

  private final Function<TopicPartition, Optional<ThreadStores.End>> stateEnds;
  private final Map<TopicPartition, Optional<Committed>> found = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> starts = new ConcurrentHashMap<>();
  private final Map<TopicPartition, NewPosition> newPositions = new ConcurrentHashMap<>();

  /** Partitions whose consumer may be ahead of records that were not applied. */
  private final Set<TopicPartition> ahead = ConcurrentHashMap.newKeySet();

  /**
   * The committed offset of a partition.
   *
   * @param offset the next offset to read
   * @param applied the offset after the last record that was applied; empty if another program
   *     committed the offset, such as a tool
   * @param isStart whether nothing was applied: {@code applied} is where the application began
   */
  record Committed(long offset, OptionalLong applied, boolean isStart) {
    Committed(long offset, OptionalLong applied) {
      this(offset, applied, false);
    }

    /** Where a state ends: an empty one at the start of its application. */
    long endOf(long nextOffset) {
      return isStart && nextOffset == 0 ? applied.orElse(0) : nextOffset;
    }

    /** Whether the offset was committed with a state that ended at an offset. */
    boolean isOfState(long nextOffset) {
      return applied.isPresent() && applied.getAsLong() == nextOffset;
    }

    /**
     * The offset up to which all was read with a state that ends at an offset: behind its last
     * record there may be transaction markers. An empty state does not know what was in front of
     * its first position.
     */
    long readThrough(long nextOffset) {
      return nextOffset > 0 && isOfState(nextOffset) ? Math.max(offset, nextOffset) : nextOffset;
    }
  }

  /** A new position of a consumer; only forward, or also back. */
  private record NewPosition(long offset, boolean isBack) {}

  /**
   * @param stateEnds where the state of a partition ends; empty if the calling thread does not run
   *     its task
   */
  CommitMarks(Function<TopicPartition, Optional<ThreadStores.End>> stateEnds) {
    this.stateEnds = stateEnds;
  }

  /** Adds marks to offsets that the calling thread will commit. */
  Map<TopicPartition, OffsetAndMetadata> mark(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> marked = new HashMap<>(offsets);
    marked.replaceAll(
        (partition, offset) -> {
          Optional<ThreadStores.End> end = stateEnds.apply(partition);
          return end.isEmpty() ? offset : mark(partition, offset, end.get());
        });
    return marked;
  }

  /** Records that the task has left out are in front of no committed offset. */
  private OffsetAndMetadata mark(
      TopicPartition partition, OffsetAndMetadata offset, ThreadStores.End state) {
    long end = state.nextOffset();
    Long start = end == 0 ? starts.get(partition) : null;
    long stateEnd = start == null ? end : start;
    String life = state.life().map(one -> LIFE + one).orElse("");
    String mark = start == null ? life + MARK : START;
    String metadata = offset.metadata() + mark + stateEnd;
    return ahead.contains(partition) && offset.offset() > stateEnd
        ? new OffsetAndMetadata(stateEnd, metadata)
        : with(offset, metadata);
  }

  /** Removes the marks from committed offsets, and remembers them. */
  Map<TopicPartition, OffsetAndMetadata> read(Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> plain = new HashMap<>(offsets);
    plain.forEach(
        (partition, offset) -> {
          Optional<Committed> committed = committed(offset);
          found.put(partition, committed);
          committed
              .filter(Committed::isStart)
              .ifPresentOrElse(
                  start -> starts.put(partition, start.applied().orElse(0)),
                  () -> starts.remove(partition));
        });
    plain.replaceAll(
        (partition, offset) -> offset == null ? null : with(offset, withoutMark(offset)));
    return plain;
  }

  /** The committed offset of a partition before its task started; empty if none was. */
  Optional<Committed> of(TopicPartition partition) {
    return found.getOrDefault(partition, Optional.empty());
  }

  /** Where the state of a partition ends: see {@link Committed#endOf}. */
  long endOf(TopicPartition partition, long nextOffset) {
    return nextOffset == 0 ? starts.getOrDefault(partition, 0L) : nextOffset;
  }

  /** An offset at which an application begins that has applied nothing. */
  static OffsetAndMetadata start(long offset) {
    return new OffsetAndMetadata(offset, START + offset);
  }

  /** Whether a partition had no committed offset when its task started just now. */
  boolean isUncommitted(TopicPartition partition) {
    Optional<Committed> committed = found.get(partition);
    return committed != null && committed.isEmpty();
  }

  /** Requests a new position for the consumer of a partition before its next poll. */
  void readFrom(TopicPartition partition, long offset, boolean isBack) {
    newPositions.put(partition, new NewPosition(offset, isBack));
    if (isBack) {
      ahead.add(partition);
    }
  }

  /**
   * Consumers go on behind records that were deleted before they were read: an offset behind them
   * would hide it until the state knows of them.
   */
  void jumped(Collection<TopicPartition> partitions) {
    ahead.addAll(partitions);
  }

  /** Applies the new positions to a consumer before it polls. */
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

  /** A consumer begins with partitions, at the committed offsets. */
  void assigned(Collection<TopicPartition> partitions) {
    partitions.forEach(ahead::remove);
  }

  /** Partitions are revoked from the consumer; their last commit may follow. */
  void revoked(Collection<TopicPartition> partitions) {
    newPositions.keySet().removeAll(partitions);
  }

  /**
   * The state of a partition continues with the record at hand.
   *
   * @param mayBeAhead whether its consumer may be behind deleted records that the state does not
   *     know of yet
   */
  void goneOn(TopicPartition partition, boolean mayBeAhead) {
    found.remove(partition);
    if (!mayBeAhead) {
      ahead.remove(partition);
    }
  }

  /** Parses an offset that may have a mark; empty for null. */
  static Optional<Committed> committed(OffsetAndMetadata offset) {
    if (offset == null) {
      return Optional.empty();
    }
    String metadata = offset.metadata();
    OptionalLong applied = number(metadata, MARK);
    OptionalLong start = number(metadata, START);
    return Optional.of(
        new Committed(offset.offset(), start.isPresent() ? start : applied, start.isPresent()));
  }

  /** The life of the state that an offset was committed with; empty without a mark. */
  static Optional<RunningLife> life(OffsetAndMetadata offset) {
    int at = offset == null ? -1 : offset.metadata().lastIndexOf(LIFE);
    int end = at < 0 ? -1 : offset.metadata().indexOf(MARK, at);
    return end < 0
        ? Optional.empty()
        : RunningLife.parse(offset.metadata().substring(at + LIFE.length(), end));
  }

  private static OptionalLong number(String metadata, String mark) {
    int at = metadata.lastIndexOf(mark);
    return at < 0
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(metadata.substring(at + mark.length())));
  }

  private static String withoutMark(OffsetAndMetadata offset) {
    int at = offset.metadata().indexOf(';');
    return at < 0 ? offset.metadata() : offset.metadata().substring(0, at);
  }

  private static OffsetAndMetadata with(OffsetAndMetadata offset, String metadata) {
    return new OffsetAndMetadata(offset.offset(), offset.leaderEpoch(), metadata);
  }
}

package io.weir.internal.imports;

import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.fetch.PollBudget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
 * none of them was fetched, the others wait for it, for a bounded time.
 *
 * <p>Times are the word of whoever writes the records. A record that is older than others is taken
 * before them only while its partition catches up; if not, its partition takes turns with the
 * others, by bytes: large records of one partition do not slow down small ones of another. A record
 * that is newer than most of those behind it does not hold them up. One thread.
 */
final class RecordMerge {
  /** A partition with as many fetched records is paused. */
  private static final int FULL_RECORDS = Import.FULL_POLL;

  /** Most bytes of the records of all partitions, besides the last poll. */
  static final long MAX_BYTES = 16 << 20;

  /** From here on, partitions that have their share are paused. */
  private static final long CROWDED_BYTES = MAX_BYTES / 2;

  /** All shares: a partition below its share may get as much again in one poll. */
  private static final long SHARED_BYTES = MAX_BYTES / 4;

  /** Records of a partition that are compared to find its time. */
  private static final int COMPARED = 9;

  /** A longer time between two polls is the fault of no partition. */
  private static final long LONGEST_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final class Source {
    private final TopicPartition partition;
    private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    private long bytes;
    private long time;
    private long emptySinceNanos;

    /** Its records were dropped to make room, and are fetched again when they are the oldest. */
    private boolean dropped;

    /** The oldest records are the dropped ones: they are to be fetched. */
    private boolean wanted;

    /** It did not catch up, and takes turns with the others. */
    private boolean inTurns;

    /** Bytes that it took in turns, from {@link #turnsBytes} on. */
    private long turnBytes;

    /** It had records when the round began, and none was taken since. */
    private boolean overlooked;

    /** The end of its topic partition when the round began. */
    private long roundEnd = Long.MAX_VALUE;

    Source(TopicPartition partition) {
      this.partition = partition;
    }

    /** The time of its next record; not later than the median of those that follow. */
    long nextTime() {
      long first = records.element().timestamp();
      int compared = Math.min(COMPARED, records.size());
      int older = 0;
      Iterator<ConsumerRecord<byte[], byte[]>> next = records.iterator();
      for (int i = 0; i < compared; i++) {
        older += next.next().timestamp() < first ? 1 : 0;
      }
      return older <= compared / 2
          ? first
          : records.stream()
              .limit(compared)
              .mapToLong(ConsumerRecord::timestamp)
              .sorted()
              .skip(compared / 2)
              .findFirst()
              .orElseThrow();
    }

    void clear() {
      records.clear();
      bytes = 0;
    }
  }

  private final Consumer<byte[], byte[]> consumer;
  private final long maxIdleNanos;
  private final LongSupplier nanos;
  private final Map<TopicPartition, Source> sources = new HashMap<>();

  /** Sources with records or dropped ones, the oldest first. */
  private final PriorityQueue<Source> heads =
      new PriorityQueue<>(Comparator.comparingLong(source -> source.time));

  /** Sources with records that take turns, the one with the fewest bytes first. */
  private final PriorityQueue<Source> turns =
      new PriorityQueue<>(Comparator.comparingLong(source -> source.turnBytes));

  /** Those of the source that took the last turn, before it: nobody saves turns. */
  private long turnsBytes;

  /** Bytes taken in turns less those of the oldest records, while there were both. */
  private long aheadBytes;

  private long bytes;
  private boolean waiting;
  private boolean moved;
  private long judgedNanos;
  private long heldNanos;
  private long reachedMs;
  private long newestMs = Long.MIN_VALUE;

  RecordMerge(Consumer<byte[], byte[]> consumer, Duration maxIdle, LongSupplier nanos) {
    this.consumer = consumer;
    this.maxIdleNanos = maxIdle.toNanos();
    this.nanos = nanos;
    this.judgedNanos = nanos.getAsLong();
  }

  void assigned(Collection<TopicPartition> partitions) {
    partitions.forEach(each -> sourceOf(each).emptySinceNanos = nanos.getAsLong());
    nobodyIsHeldUp();
  }

  private Source sourceOf(TopicPartition partition) {
    return sources.computeIfAbsent(partition, Source::new);
  }

  /** Forgets their records: the next owner reads them. */
  void revoked(Collection<TopicPartition> partitions) {
    for (TopicPartition each : partitions) {
      Source gone = sources.remove(each);
      if (gone != null) {
        heads.remove(gone);
        turns.remove(gone);
        bytes -= gone.bytes;
      }
    }
  }

  /** Polls, for as many bytes as there is room. */
  void poll(Duration timeout) {
    long share = SHARED_BYTES / Math.max(1, sources.size());
    Set<TopicPartition> full =
        sources.values().stream()
            .filter(each -> isFull(each, share))
            .map(each -> each.partition)
            .collect(Collectors.toSet());
    Set<TopicPartition> resumed = new HashSet<>(consumer.paused());
    resumed.removeAll(full);
    consumer.resume(resumed);
    consumer.pause(full);
    if (consumer instanceof BoundedConsumer bounded) {
      bounded.limitPolls(Math.max(share, CROWDED_BYTES - bytes));
    }
    add(consumer.poll(timeout));
  }

  private boolean isFull(Source source, long share) {
    return source.dropped
        ? source != heads.peek()
        : source.records.size() >= FULL_RECORDS || bytes >= CROWDED_BYTES && source.bytes >= share;
  }

  private void add(ConsumerRecords<byte[], byte[]> polled) {
    for (TopicPartition each : polled.partitions()) {
      Source source = sourceOf(each);
      leave(source);
      for (ConsumerRecord<byte[], byte[]> record : polled.records(each)) {
        source.records.add(record);
        source.bytes += PollBudget.bytesOf(record);
      }
      bytes += polled.records(each).stream().mapToLong(PollBudget::bytesOf).sum();
      enter(source);
    }
    dropNewest();
    waiting = isWaiting();
    if (!waiting) {
      judge();
      waiting = isWaiting();
    }
  }

  private void leave(Source source) {
    heads.remove(source);
    turns.remove(source);
    source.dropped = false;
    source.wanted = false;
  }

  /** Puts a source with records in its place. */
  private void enter(Source source) {
    source.time = source.nextTime();
    if (source.inTurns) {
      // Until it is as new as all others: else two partitions would be the oldest by turns.
      source.inTurns =
          heads.isEmpty()
              ? source.time < newestMs
              : heads.stream().anyMatch(each -> source.time < each.time);
    }
    source.turnBytes = Math.max(source.turnBytes, turnsBytes);
    (source.inTurns ? turns : heads).add(source);
  }

  /** The time of dropped records is still known: so any number of partitions can be merged. */
  private void dropNewest() {
    while (bytes > MAX_BYTES) {
      Optional<Source> newest =
          sources.values().stream()
              .filter(each -> !each.records.isEmpty() && each != heads.peek())
              .max(Comparator.comparingLong(each -> each.time));
      if (newest.isEmpty()) {
        return;
      }
      Source dropped = newest.get();
      consumer.seek(dropped.partition, dropped.records.element().offset());
      bytes -= dropped.bytes;
      dropped.clear();
      dropped.dropped = !turns.remove(dropped);
    }
  }

  private boolean isWaiting() {
    return isOldestDropped() || sources.values().stream().anyMatch(this::isAwaited);
  }

  private boolean isOldestDropped() {
    while (!heads.isEmpty() && heads.element().dropped) {
      Source oldest = heads.element();
      if (!oldest.wanted) {
        oldest.wanted = true;
        oldest.emptySinceNanos = nanos.getAsLong();
      } else if (isIdle(oldest)) {
        leave(oldest);
      }
      if (oldest.dropped) {
        return true;
      }
    }
    return false;
  }

  private boolean isAwaited(Source source) {
    return source.records.isEmpty()
        && !source.dropped
        && !source.inTurns
        && !isIdle(source)
        && consumer.currentLag(source.partition).orElse(1) > 0;
  }

  private boolean isIdle(Source source) {
    return nanos.getAsLong() - source.emptySinceNanos >= maxIdleNanos;
  }

  /** Finds the source that holds others up and does not catch up. */
  private void judge() {
    long now = nanos.getAsLong();
    long passed = Math.min(LONGEST_STEP_NANOS, now - judgedNanos);
    judgedNanos = now;
    if (!moved || heads.size() < 2) {
      return;
    }
    moved = false;
    Source oldest = heads.element();
    if (oldest.roundEnd == Long.MAX_VALUE) {
      beginRound();
    }
    // A gain is not saved: else one step of a year would be an excuse for a year.
    heldNanos = Math.max(0, heldNanos + passed - gainNanos(oldest.time));
    reachedMs = Math.max(reachedMs, oldest.time);
    boolean roundIsOver = oldest.records.element().offset() >= oldest.roundEnd;
    Optional<Source> overlooked =
        heads.stream()
            .filter(each -> each != oldest && each.overlooked)
            .min(Comparator.comparingLong(each -> each.time));
    if (roundIsOver && overlooked.isPresent()
        || heldNanos > Math.max(maxIdleNanos, LONGEST_STEP_NANOS)) {
      takeTurns(overlooked.map(each -> each.time).orElse(oldest.time), oldest);
      nobodyIsHeldUp();
      beginRound();
    } else if (roundIsOver) {
      beginRound();
    }
  }

  /** The oldest of all, and others that are older than one that was overlooked. */
  private void takeTurns(long overlookedMs, Source oldest) {
    List<Source> late =
        heads.stream().filter(each -> each == oldest || each.time < overlookedMs).toList();
    for (Source each : late) {
      leave(each);
      each.inTurns = true;
    }
    late.stream().filter(each -> !each.records.isEmpty()).forEach(this::enter);
  }

  private long gainNanos(long time) {
    long gainMs = time - reachedMs;
    boolean overflows = time > reachedMs && gainMs < 0;
    return reachedMs == Long.MIN_VALUE || overflows
        ? Long.MAX_VALUE
        : TimeUnit.MILLISECONDS.toNanos(Math.max(0, gainMs));
  }

  private void beginRound() {
    for (Source each : sources.values()) {
      OptionalLong lag = consumer.currentLag(each.partition);
      each.overlooked = !each.records.isEmpty() || each.dropped;
      each.roundEnd =
          lag.isPresent() ? consumer.position(each.partition) + lag.getAsLong() : Long.MAX_VALUE;
    }
  }

  private void nobodyIsHeldUp() {
    heldNanos = 0;
    reachedMs = Long.MIN_VALUE;
  }

  /** The next record; null if there is none, or another partition is waited for. */
  ConsumerRecord<byte[], byte[]> peek() {
    Source next = next();
    return next == null ? null : next.records.element();
  }

  private Source next() {
    if (!turns.isEmpty() && (!hasOldest() || aheadBytes < 0)) {
      return turns.element();
    }
    return hasOldest() ? heads.element() : null;
  }

  private boolean hasOldest() {
    return !waiting && !heads.isEmpty();
  }

  /** Removes the next record. */
  void remove() {
    Source source = next();
    long size = PollBudget.bytesOf(source.records.remove());
    if (hasOldest() && !turns.isEmpty()) {
      aheadBytes += source.inTurns ? size : -size;
    }
    moved = true;
    if (source.inTurns) {
      turns.remove();
      turnsBytes = source.turnBytes;
      source.turnBytes += size;
    } else {
      heads.remove();
      newestMs = Math.max(newestMs, source.time);
    }
    source.bytes -= size;
    bytes -= size;
    source.overlooked = false;
    if (source.records.isEmpty()) {
      source.emptySinceNanos = nanos.getAsLong();
    } else {
      enter(source);
    }
    if (source.records.isEmpty() || !heads.isEmpty() && heads.element().dropped) {
      waiting = isWaiting();
    }
    if (heads.isEmpty()) {
      nobodyIsHeldUp();
      beginRound();
    }
  }

  boolean isEmpty() {
    return heads.isEmpty() && turns.isEmpty();
  }

  /** Bytes of the records that were not removed yet. */
  long bytes() {
    return bytes;
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

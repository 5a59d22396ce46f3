package io.weir.internal.redrive;

import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The sequenced batches of dead letters that other lives wrote, of offsets that the one that runs
 * has not read. It has not judged them, but perhaps a copy, or one may still come. Windows need no
 * look: it withholds all that an earlier life may have published. One thread.
 */
final class UnreadBatches {
  private final String readings;
  private final Lives lives;
  private final Set<BatchName> batches = new TreeSet<>();
  private final Map<Boot, Taken> boots = new TreeMap<>();
  private final Set<BatchName> judged = new HashSet<>();

  /** Partitions that no longer show all that the running life has read. */
  private final Set<Integer> hidden = new HashSet<>();

  /** What the running life does with a batch. */
  enum Fate {
    /** It has judged a copy. */
    JUDGED,
    /** It may have judged a copy; the topic no longer shows it. */
    UNKNOWN,
    /** It has judged none, and refuses all copies, since it took later sequences. */
    PASSED,
    /** It takes the first copy as a new batch, and then knows the others. */
    NEW
  }

  private record Boot(int partition, String gatewayId, long bootId) implements Comparable<Boot> {
    private static final Comparator<Boot> ORDER =
        Comparator.comparing(Boot::gatewayId)
            .thenComparingInt(Boot::partition)
            .thenComparingLong(Boot::bootId);

    static Boot of(BatchName batch) {
      return new Boot(batch.partition(), batch.gatewayId(), batch.bootId());
    }

    @Override
    public int compareTo(Boot other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * The sequences that the running life has taken, by where it read without a gap: the lowest and
   * the highest one.
   */
  private static final class Taken {
    final Set<Long> refusedAt = new HashSet<>();
    final NavigableMap<Long, LongSummaryStatistics> sequences = new TreeMap<>();

    /** Behind a gap no sequence below the first one counts, nor one below the highest before. */
    boolean isBehind(long sequence, long offset) {
      return sequences.tailMap(offset, false).values().stream()
              .anyMatch(each -> sequence < each.getMin())
          || sequences.headMap(offset, true).values().stream()
              .anyMatch(each -> sequence < each.getMax());
    }
  }

  UnreadBatches(String readings, Lives lives) {
    this.readings = readings;
    this.lives = lives;
  }

  /** Adds an unread batch. */
  void add(BatchName batch) {
    batches.add(batch);
    boots.computeIfAbsent(Boot.of(batch), any -> new Taken());
  }

  /** The running life has refused a batch as a whole; after {@link #add} of its partition. */
  void refused(BatchName batch, long offset) {
    Taken boot = boots.get(Boot.of(batch));
    if (boot != null) {
      boot.refusedAt.add(offset);
    }
  }

  /**
   * Reads what the running life has read of the readings, if there are batches.
   *
   * @param batchOf returns the sequenced batch of a record of the readings
   */
  void look(
      Consumer<byte[], byte[]> reader,
      Function<ConsumerRecord<byte[], byte[]>, Optional<BatchName>> batchOf) {
    for (int number : new TreeSet<>(batches.stream().map(BatchName::partition).toList())) {
      TopicPartition partition = new TopicPartition(readings, number);
      TopicScan pass = new TopicScan(reader, List.of(partition), 0);
      UnreadOffsets unread = lives.of(number).map(RunningLife::unread).orElseThrow();
      if (Math.max(reader.position(partition), unread.knownFrom()) > unread.firstRead()) {
        hidden.add(number);
      }
      pass.skipTo(partition, Math.max(unread.firstRead(), unread.knownFrom()));
      while (!pass.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          if (unread.at(record.offset()) == UnreadOffsets.Answer.READ) {
            long from = unread.readFrom(record.offset());
            batchOf.apply(record).ifPresent(batch -> found(batch, record.offset(), from));
          }
        }
      }
    }
  }

  private void found(BatchName batch, long offset, long readFrom) {
    Taken boot = boots.get(Boot.of(batch));
    if (boot == null) {
      return;
    }
    if (batches.contains(batch)) {
      judged.add(batch);
    }
    if (!boot.refusedAt.contains(offset)) {
      boot.sequences
          .computeIfAbsent(readFrom, any -> new LongSummaryStatistics())
          .accept(batch.sequence());
    }
  }

  /**
   * @param offset of the batch, which was not read
   * @param forgotten whether the gateway was reset, so that the sequences may be forgotten
   */
  Fate fate(BatchName batch, long offset, boolean forgotten) {
    if (judged.contains(batch)) {
      return Fate.JUDGED;
    }
    Taken boot = boots.getOrDefault(Boot.of(batch), new Taken()); // A forged letter has none.
    if (hidden.contains(batch.partition()) && (forgotten || !boot.sequences.isEmpty())) {
      return Fate.UNKNOWN;
    }
    return boot.isBehind(batch.sequence(), offset) && !forgotten ? Fate.PASSED : Fate.NEW;
  }
}

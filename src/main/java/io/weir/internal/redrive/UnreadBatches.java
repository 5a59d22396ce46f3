package io.weir.internal.redrive;

import io.weir.internal.deadletter.RunningLife;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The sequenced batches of dead letters that earlier lives wrote, in front of the first record of
 * the one that runs. That one has not judged them, but perhaps a copy, or one may still come.
 * Windows need no look: it withholds all that an earlier life may have published. One thread.
 */
final class UnreadBatches {
  private final String readings;
  private final Lives lives;
  private final Set<BatchName> batches = new TreeSet<>();
  private final Map<Boot, Sequences> boots = new TreeMap<>();
  private final Set<BatchName> judged = new HashSet<>();
  private final Set<Integer> cut = new HashSet<>();

  /** What the running life does with a batch. */
  enum Fate {
    /** It has judged a copy. */
    JUDGED,
    /** It may have judged a copy; the topic no longer shows it. */
    UNKNOWN,
    /** It began behind the batch's sequence, and refuses all copies. */
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

  /** Of the batches that the running life has taken. */
  private static final class Sequences {
    final Set<Long> refusedAt = new HashSet<>();
    long lowest = Long.MAX_VALUE;
  }

  UnreadBatches(String readings, Lives lives) {
    this.readings = readings;
    this.lives = lives;
  }

  /** Adds a batch in front of the first record. */
  void add(BatchName batch) {
    batches.add(batch);
    boots.computeIfAbsent(Boot.of(batch), any -> new Sequences());
  }

  /** The running life has refused a batch as a whole; after {@link #add} of its partition. */
  void refused(BatchName batch, long offset) {
    Sequences boot = boots.get(Boot.of(batch));
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
      long first = lives.of(number).map(RunningLife::firstOffset).orElseThrow();
      if (reader.position(partition) > first) {
        cut.add(number);
      }
      pass.skipTo(partition, first);
      while (!pass.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
          batchOf.apply(record).ifPresent(batch -> found(batch, record.offset()));
        }
      }
    }
  }

  private void found(BatchName batch, long offset) {
    Sequences boot = boots.get(Boot.of(batch));
    if (boot == null) {
      return;
    }
    if (batches.contains(batch)) {
      judged.add(batch);
    }
    if (!boot.refusedAt.contains(offset)) {
      boot.lowest = Math.min(boot.lowest, batch.sequence());
    }
  }

  /**
   * @param forgotten whether the gateway was reset, so that the sequences may be forgotten
   */
  Fate fate(BatchName batch, boolean forgotten) {
    if (judged.contains(batch)) {
      return Fate.JUDGED;
    }
    if (cut.contains(batch.partition())) {
      return Fate.UNKNOWN;
    }
    long lowest = boots.get(Boot.of(batch)).lowest;
    boolean began = lowest != Long.MAX_VALUE;
    return began && lowest > batch.sequence() && !forgotten ? Fate.PASSED : Fate.NEW;
  }
}

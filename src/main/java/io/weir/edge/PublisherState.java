package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.util.List;
import java.util.Objects;

/**
 * The progress of a publisher: its boot id, the last sequence assigned in each partition, and the
 * unacknowledged batches, to be sent again unchanged.
 *
 * <p>A sequence identifies the same readings for ever. The state that {@link
 * ReadingPublisher#close} returns is final and valid for <em>one</em> {@link
 * PublisherSettings.Builder#resumeFrom resumption}: the resumed publisher assigns the sequences
 * after it, so delete or mark the saved copy before the first offer. After a crash the copy on disk
 * may be older than the last assigned sequences; then use {@link
 * PublisherSettings.Builder#startAfter}, which is safe with any state, or a state built from a
 * {@link BatchJournal}, which is never outdated.
 *
 * @param gatewayId the gateway
 * @param bootId the boot id that continues
 * @param lastSequences the last sequence assigned under that boot id in each of the 64 partitions;
 *     0 for none
 * @param unacknowledged in sending order within each partition
 */
public record PublisherState(
    String gatewayId, long bootId, List<Long> lastSequences, List<SequencedBatch> unacknowledged) {
  public PublisherState {
    Objects.requireNonNull(gatewayId, "gatewayId");
    lastSequences = List.copyOf(lastSequences);
    unacknowledged = List.copyOf(unacknowledged);
    require(bootId > 0 && bootId <= BootId.MAX, "boot id " + bootId);
    require(
        lastSequences.size() == SensorPartition.COUNT, lastSequences.size() + " last sequences");
    for (long lastSequence : lastSequences) {
      require(lastSequence >= 0, "last sequence " + lastSequence);
    }
    requireOrder(bootId, lastSequences, unacknowledged);
  }

  /** Accepted readings in the unacknowledged batches, folded ones included. */
  public long unacknowledgedReadings() {
    return unacknowledged.stream().mapToLong(SequencedBatch::readings).sum();
  }

  private static void requireOrder(
      long bootId, List<Long> lastSequences, List<SequencedBatch> unacknowledged) {
    long[] bootIds = new long[SensorPartition.COUNT];
    long[] sequences = new long[SensorPartition.COUNT];
    for (SequencedBatch batch : unacknowledged) {
      int partition = batch.partition();
      require(partition >= 0 && partition < SensorPartition.COUNT, "partition " + partition);
      boolean newBoot = batch.bootId() > bootIds[partition];
      boolean next =
          batch.bootId() == bootIds[partition] && batch.sequence() > sequences[partition];
      boolean given = batch.bootId() < bootId || batch.sequence() <= lastSequences.get(partition);
      require(
          (newBoot || next) && batch.bootId() <= bootId && batch.sequence() > 0 && given,
          "sequence " + batch.sequence() + " of partition " + partition + " out of order");
      bootIds[partition] = batch.bootId();
      sequences[partition] = batch.sequence();
    }
  }

  private static void require(boolean condition, String found) {
    if (!condition) {
      throw new IllegalArgumentException("not the state of a publisher: " + found);
    }
  }
}

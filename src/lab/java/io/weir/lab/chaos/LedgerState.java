package io.weir.lab.chaos;

import io.weir.edge.PublisherState;
import io.weir.edge.SequencedBatch;
import io.weir.topic.SensorPartition;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;

/** What a gateway's ledger says of its publisher: a state that is never too old. One thread. */
final class LedgerState {
  private record Key(int partition, long bootId, long sequence) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byPartition = Integer.compare(partition, other.partition);
      int byBoot = Long.compare(bootId, other.bootId);
      return byPartition != 0
          ? byPartition
          : byBoot != 0 ? byBoot : Long.compare(sequence, other.sequence);
    }
  }

  private final TreeMap<Key, SequencedBatch> unacknowledged = new TreeMap<>();
  private final Long[] lastSequences = new Long[SensorPartition.COUNT];
  private long bootId;
  private long lastRaw;

  LedgerState() {
    Arrays.fill(lastSequences, 0L);
  }

  void take(LedgerEntry entry) {
    if (entry instanceof LedgerEntry.Began began) {
      begin(began);
    } else if (entry instanceof LedgerEntry.Batch written) {
      SequencedBatch batch = written.batch();
      unacknowledged.put(new Key(batch.partition(), batch.bootId(), batch.sequence()), batch);
      if (batch.bootId() == bootId) {
        int partition = batch.partition();
        lastSequences[partition] = Math.max(lastSequences[partition], batch.sequence());
      }
    } else if (entry instanceof LedgerEntry.Acknowledged batch) {
      unacknowledged.remove(new Key(batch.partition(), batch.bootId(), batch.sequence()));
    } else if (entry instanceof LedgerEntry.Raw raw) {
      lastRaw = Math.max(lastRaw, raw.number());
    }
  }

  private void begin(LedgerEntry.Began began) {
    if (began.emptyHanded()) {
      unacknowledged.clear();
    }
    if (began.bootId() != bootId) {
      bootId = began.bootId();
      Arrays.fill(lastSequences, 0L);
    }
  }

  /** The state to go on from; empty where no publisher has begun. */
  Optional<PublisherState> state(String gatewayId) {
    return bootId == 0
        ? Optional.empty()
        : Optional.of(
            new PublisherState(
                gatewayId,
                bootId,
                Arrays.asList(lastSequences),
                unacknowledged.values().stream().toList()));
  }

  /** The last number given to a raw record. */
  long lastRaw() {
    return lastRaw;
  }
}

package io.weir.lab.chaos;

import io.weir.edge.SequencedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How long batches wait for their acknowledgement. Safe for many threads. */
final class AckLatencies {
  private record Name(int partition, long bootId, long sequence) {
    static Name of(SequencedBatch batch) {
      return new Name(batch.partition(), batch.bootId(), batch.sequence());
    }
  }

  private final Map<Name, Long> sentNanos = new ConcurrentHashMap<>();
  private final List<Long> millis = new ArrayList<>();

  void sent(SequencedBatch batch, long nanos) {
    sentNanos.put(Name.of(batch), nanos);
  }

  synchronized void acknowledged(SequencedBatch batch, long nanos) {
    Long sent = sentNanos.remove(Name.of(batch));
    if (sent != null) {
      millis.add((nanos - sent) / 1_000_000);
    }
  }

  /** The median of those since the last call, in milliseconds; -1 where there were none. */
  synchronized long drainMedianMs() {
    long median =
        millis.isEmpty() ? -1 : millis.stream().sorted().skip(millis.size() / 2).findFirst().get();
    millis.clear();
    return median;
  }
}

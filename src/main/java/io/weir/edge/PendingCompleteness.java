package io.weir.edge;

import io.weir.wire.BatchColumns;
import io.weir.wire.BatchCompleteness;
import io.weir.wire.BatchEncoder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a pending batch will say about the completeness of sensors: of each the newest time that was
 * attested, and which of its sensors may not be called ordered. Guarded by what guards the batch.
 */
final class PendingCompleteness {
  private static final int MOST_BYTES_OF_CHAR = 3;

  private final Map<String, Long> throughMs = new LinkedHashMap<>();
  private final Set<String> notOrdered = new HashSet<>();

  boolean has(String sensorId) {
    return throughMs.containsKey(sensorId);
  }

  /** All readings of the sensor that are earlier were handed over. */
  void attest(String sensorId, long through) {
    throughMs.merge(sensorId, through, Math::max);
  }

  /** The batch must not say of the sensor that it is complete through its newest reading. */
  void notOrdered(String sensorId) {
    notOrdered.add(sensorId);
  }

  /** Sensors of which something was attested. */
  int size() {
    return throughMs.size();
  }

  /** What was attested, and nothing else. */
  BatchCompleteness attested() {
    return throughMs.isEmpty()
        ? BatchCompleteness.NONE
        : new BatchCompleteness(new LinkedHashMap<>(throughMs), false);
  }

  /**
   * The same, and that the batch's sensors are ordered. Where one is not, the others get an entry
   * each, if these fit.
   *
   * @param mostEntries most entries that the batch may have
   * @param mostBytes most bytes that may be added to it
   */
  BatchCompleteness attestedAndOrdered(BatchColumns columns, int mostEntries, int mostBytes) {
    Map<String, Long> all = new LinkedHashMap<>(throughMs);
    if (notOrdered.isEmpty()) {
      return new BatchCompleteness(all, columns.size() > 0);
    }
    int bytes = 0;
    for (int i = 0; i < columns.size(); i++) {
      String id = columns.sensorId(i);
      if (!notOrdered.contains(id)) {
        if (!all.containsKey(id)) {
          bytes += BatchEncoder.mostBytesOfEntry(MOST_BYTES_OF_CHAR * id.length());
        }
        all.merge(id, columns.timestampMs(i), Math::max);
      }
    }
    return all.size() <= mostEntries && bytes <= mostBytes
        ? new BatchCompleteness(all, false)
        : attested();
  }

  void clear() {
    throughMs.clear();
    notOrdered.clear();
  }
}

package io.weir.edge;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.BatchEncoder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The completeness that a pending batch attests: the newest attested time per sensor, and the
 * sensors that are not ordered. Guarded by the lock of the batch.
 */
final class PendingCompleteness {
  private static final int MOST_BYTES_OF_CHAR = 3;

  private final Map<String, Long> throughMs = new LinkedHashMap<>();
  private final Set<String> notOrdered = new HashSet<>();

  boolean has(String sensorId) {
    return throughMs.containsKey(sensorId);
  }

  /** All earlier readings of the sensor were accepted. */
  void attest(String sensorId, long through) {
    throughMs.merge(sensorId, through, Math::max);
  }

  /** The batch must not attest that the sensor is complete through its newest reading. */
  void notOrdered(String sensorId) {
    notOrdered.add(sensorId);
  }

  /** Number of sensors with an attestation. */
  int size() {
    return throughMs.size();
  }

  /** The explicit attestations only. */
  BatchCompleteness attested() {
    return throughMs.isEmpty()
        ? BatchCompleteness.NONE
        : new BatchCompleteness(new LinkedHashMap<>(throughMs), false);
  }

  /**
   * The explicit attestations, and that the batch's sensors are ordered. If a sensor is not
   * ordered, each other sensor gets an entry, if the entries fit.
   *
   * @param mostEntries maximum number of entries of the batch
   * @param mostBytes maximum number of bytes to add to it
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

package io.weir.edge;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * Decides whether a partition's batches may attest completeness. While batches of an earlier start
 * are unacknowledged, attestations, which cover those too, are held back, the newest per sensor.
 * After a batch of the partition was dropped, none is sent in this start. Guarded by the
 * partition's queue.
 */
final class AttestationHold {
  /** Attestations of further sensors are dropped; the sensors' next attestations replace them. */
  private static final int MAX_HELD = 10_000;

  private final Map<String, Long> heldThroughMs = new HashMap<>();
  private long earlierBatches;
  private boolean readingsLost;
  private long withheld;

  /** Sets the number of batches of earlier starts. */
  void earlier(long batches) {
    earlierBatches += batches;
  }

  /** Readings of the partition were lost. */
  void lost() {
    readingsLost = true;
    withheld(heldThroughMs.size());
    heldThroughMs.clear();
  }

  /** Whether an attestation may be added to the next batch. */
  boolean mayAttest() {
    return earlierBatches == 0 && !readingsLost;
  }

  /** Holds an attestation back, or counts it as never sent. */
  void hold(String sensorId, long throughMs) {
    if (readingsLost || heldThroughMs.size() >= MAX_HELD && !heldThroughMs.containsKey(sensorId)) {
      withheld(1);
    } else {
      heldThroughMs.merge(sensorId, throughMs, Math::max);
    }
  }

  /**
   * A batch of an earlier start is settled; the last one releases the attestations that were held
   * back.
   */
  void earlierSettled(ObjLongConsumer<String> released) {
    earlierBatches--;
    if (mayAttest()) {
      heldThroughMs.forEach(released::accept);
      heldThroughMs.clear();
    }
  }

  void withheld(int attestations) {
    withheld += attestations;
  }

  /** Number of accepted attestations that are never sent. */
  long withheld() {
    return withheld;
  }
}

package io.weir.edge;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * Whether a partition's batches may say that sensors are complete. Not while batches of an earlier
 * start are unacknowledged, as an attestation covers those too: what is attested meanwhile is held
 * back, of each sensor the newest. And never again in this start once a batch of the partition was
 * given up, as its readings are not handed over. Guarded by the partition's queue.
 */
final class Withholding {
  /** Attestations of more sensors are not held back but withheld: the sensors' next ones count. */
  private static final int MAX_HELD = 10_000;

  private final Map<String, Long> heldThroughMs = new HashMap<>();
  private long earlierBatches;
  private boolean readingsLost;
  private long withheld;

  /** So many batches of earlier starts come first. */
  void earlier(long batches) {
    earlierBatches += batches;
  }

  /** Readings of the partition are not handed over, and never will be. */
  void lost() {
    readingsLost = true;
    withheld(heldThroughMs.size());
    heldThroughMs.clear();
  }

  /** Whether what is attested now can go into the next batch. */
  boolean mayAttest() {
    return earlierBatches == 0 && !readingsLost;
  }

  /** Keeps an attestation until it may go, or counts that it will not. */
  void hold(String sensorId, long throughMs) {
    if (readingsLost || heldThroughMs.size() >= MAX_HELD && !heldThroughMs.containsKey(sensorId)) {
      withheld(1);
    } else {
      heldThroughMs.merge(sensorId, throughMs, Math::max);
    }
  }

  /** A batch of an earlier start is settled; after the last one, takes out what was held back. */
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

  /** Attestations that were accepted and are never sent. */
  long withheld() {
    return withheld;
  }
}

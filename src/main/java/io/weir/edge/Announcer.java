package io.weir.edge;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells the gateway's journal of batches before they are sent, all that wait at once, and tries
 * again later where it cannot keep them. For the sender thread.
 */
final class Announcer {
  private final BatchJournal journal;
  private final FailureLog log;
  private final Backoff backoff = new Backoff();
  private final ArrayList<Shipment> unannounced = new ArrayList<>();

  /** How many of the unannounced the journal has kept, and how many of these were taken. */
  private int kept;

  private int taken;

  Announcer(BatchJournal journal, FailureLog log) {
    this.journal = journal;
    this.log = log;
  }

  /** Makes room for one batch more, so that adding it cannot fail. */
  void makeRoom() {
    unannounced.ensureCapacity(unannounced.size() + 1);
  }

  void add(Shipment shipment) {
    unannounced.add(shipment);
  }

  /** Whether the journal keeps all that was added; asks it where it does not yet. */
  boolean announce(long nowNanos) {
    if (kept == unannounced.size()) {
      return true;
    }
    if (backoff.remainingNanos(nowNanos) > 0) {
      return false;
    }
    try {
      List<SequencedBatch> batches = new ArrayList<>(unannounced.size() - kept);
      for (Shipment shipment : unannounced.subList(kept, unannounced.size())) {
        batches.add(shipment.batch());
      }
      journal.beforeFirstSend(List.copyOf(batches));
    } catch (Exception e) {
      backoff.failed(nowNanos);
      log.failed("the journal cannot keep batches, so none is sent", e, nowNanos);
      return false;
    }
    kept = unannounced.size();
    backoff.reset();
    log.succeeded();
    return true;
  }

  /** The next batch that the journal has kept; null where all were taken. */
  Shipment nextKept() {
    return taken < kept ? unannounced.get(taken) : null;
  }

  /** The next kept batch has gone its way. */
  void keptTaken() {
    taken++;
    if (taken == unannounced.size()) {
      unannounced.clear();
      kept = 0;
      taken = 0;
    }
  }

  /** Batches that did not go on yet, in the order of their sequences. */
  List<Shipment> waiting() {
    return List.copyOf(unannounced.subList(taken, unannounced.size()));
  }

  /** Nanoseconds until the journal is asked again; 0 where it need not be waited for. */
  long retryInNanos(long nowNanos) {
    return backoff.remainingNanos(nowNanos);
  }

  /** The next try need not wait. */
  void tryAtOnce() {
    backoff.reset();
  }

  void acknowledged(SequencedBatch batch) {
    journal.acknowledged(batch);
  }
}

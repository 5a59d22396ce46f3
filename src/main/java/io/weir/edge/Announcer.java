package io.weir.edge;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells the gateway's journal of batches before they are sent, and tries again later where it
 * cannot keep them. For the sender thread.
 */
final class Announcer {
  private final BatchJournal journal;
  private final FailureLog log;
  private final Backoff backoff = new Backoff();
  private final ArrayList<SequencedBatch> unannounced = new ArrayList<>();

  Announcer(BatchJournal journal, FailureLog log) {
    this.journal = journal;
    this.log = log;
  }

  /** Makes room for one batch more, so that adding it cannot fail. */
  void makeRoom() {
    unannounced.ensureCapacity(unannounced.size() + 1);
  }

  void add(SequencedBatch batch) {
    unannounced.add(batch);
  }

  /** Whether the journal keeps all that was added; asks it where it does not yet. */
  boolean announce(long nowNanos) {
    if (unannounced.isEmpty()) {
      return true;
    }
    if (backoff.remainingNanos(nowNanos) > 0) {
      return false;
    }
    try {
      journal.beforeFirstSend(List.copyOf(unannounced));
    } catch (Exception e) {
      backoff.failed(nowNanos);
      log.failed("the journal cannot keep batches, so none is sent", e, nowNanos);
      return false;
    }
    unannounced.clear();
    backoff.reset();
    log.succeeded();
    return true;
  }

  /** Nanoseconds until the journal is asked again. */
  long retryInNanos(long nowNanos) {
    return backoff.remainingNanos(nowNanos);
  }

  void acknowledged(SequencedBatch batch) {
    journal.acknowledged(batch);
  }
}

package io.weir.edge;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes batches to the gateway's journal before they are sent, all waiting batches at once, and
 * retries after failures. Sender thread only.
 */
final class JournalWriter {
  private final BatchJournal journal;
  private final FailureLog log;
  private final Backoff backoff = Backoff.local();
  private final ArrayList<UnacknowledgedBatch> batches = new ArrayList<>();
  private volatile boolean failing;

  /** Number of written batches at the front, and of those already removed. */
  private int written;

  private int removed;

  JournalWriter(BatchJournal journal, FailureLog log) {
    this.journal = journal;
    this.log = log;
  }

  /** Allocates space for one more batch, so that adding it cannot fail. */
  void makeRoom() {
    batches.ensureCapacity(batches.size() + 1);
  }

  void add(UnacknowledgedBatch batch) {
    batches.add(batch);
  }

  /** Writes all added batches to the journal if necessary; returns whether all are written. */
  boolean write(long nowNanos) {
    if (written == batches.size()) {
      return true;
    }
    if (backoff.remainingNanos(nowNanos) > 0) {
      return false;
    }
    try {
      List<SequencedBatch> unwritten = new ArrayList<>(batches.size() - written);
      for (UnacknowledgedBatch batch : batches.subList(written, batches.size())) {
        unwritten.add(batch.sequenced());
      }
      journal.beforeFirstSend(List.copyOf(unwritten));
    } catch (Exception e) {
      failing = true;
      backoff.failed(nowNanos);
      log.failed("the journal cannot store batches, so none is sent", e, nowNanos);
      return false;
    }
    written = batches.size();
    failing = false;
    backoff.reset();
    log.succeeded();
    return true;
  }

  /** Whether the last write failed. Thread-safe. */
  boolean isFailing() {
    return failing;
  }

  /** The next written batch; null if all were removed. */
  UnacknowledgedBatch nextWritten() {
    return removed < written ? batches.get(removed) : null;
  }

  /** Removes the next written batch. */
  void removeWritten() {
    removed++;
    if (removed == batches.size()) {
      batches.clear();
      written = 0;
      removed = 0;
    }
  }

  /** Batches that were not removed yet, in the order of their sequences. */
  List<UnacknowledgedBatch> waiting() {
    return List.copyOf(batches.subList(removed, batches.size()));
  }

  /** Nanoseconds until the next attempt to write; 0 if none is pending. */
  long retryInNanos(long nowNanos) {
    return backoff.remainingNanos(nowNanos);
  }

  /** The next attempt does not wait. */
  void tryAtOnce() {
    backoff.reset();
  }

  void acknowledged(SequencedBatch batch) {
    journal.acknowledged(batch);
  }
}

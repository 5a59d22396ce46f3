package io.weir.edge;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes batches to the gateway's journal before they are sent, all that wait at once, and tries
 * again later where it cannot keep them. For the sender thread.
 */
final class JournalWriter {
  private final BatchJournal journal;
  private final FailureLog log;
  private final Backoff backoff = Backoff.local();
  private final ArrayList<UnacknowledgedBatch> batches = new ArrayList<>();

  /** How many at the front are written, and how many of these have gone on. */
  private int written;

  private int removed;

  JournalWriter(BatchJournal journal, FailureLog log) {
    this.journal = journal;
    this.log = log;
  }

  /** Makes room for one batch more, so that adding it cannot fail. */
  void makeRoom() {
    batches.ensureCapacity(batches.size() + 1);
  }

  void add(UnacknowledgedBatch batch) {
    batches.add(batch);
  }

  /** Whether the journal keeps all that was added; asks it where it does not yet. */
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
      backoff.failed(nowNanos);
      log.failed("the journal cannot keep batches, so none is sent", e, nowNanos);
      return false;
    }
    written = batches.size();
    backoff.reset();
    log.succeeded();
    return true;
  }

  /** The next batch that the journal has written; null where all were removed. */
  UnacknowledgedBatch nextWritten() {
    return removed < written ? batches.get(removed) : null;
  }

  /** The next written batch has gone on. */
  void removeWritten() {
    removed++;
    if (removed == batches.size()) {
      batches.clear();
      written = 0;
      removed = 0;
    }
  }

  /** Batches that did not go on yet, in the order of their sequences. */
  List<UnacknowledgedBatch> waiting() {
    return List.copyOf(batches.subList(removed, batches.size()));
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

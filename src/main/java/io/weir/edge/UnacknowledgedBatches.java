package io.weir.edge;

import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;

/**
 * A partition's sequenced, unacknowledged batches: first those in flight, then the waiting ones, in
 * the order of their sequences. Guarded by its partition's queue; the sums are for the sender
 * thread only.
 */
final class UnacknowledgedBatches {
  // A linked list is unchanged after an OutOfMemoryError in add.
  private final Deque<UnacknowledgedBatch> inFlight = new LinkedList<>();
  private final Deque<UnacknowledgedBatch> waiting = new LinkedList<>();
  private int count;
  private long bytes;
  private long bytesInFlight;

  /** Adds the batch to the sums; it may wait for the journal before it is enqueued. */
  void count(UnacknowledgedBatch batch) {
    count++;
    bytes += batch.bytes();
  }

  /** Removes the batch from the sums. */
  void uncount(UnacknowledgedBatch batch) {
    count--;
    bytes -= batch.bytes();
  }

  void enqueue(UnacknowledgedBatch batch) {
    waiting.addLast(batch);
  }

  UnacknowledgedBatch firstWaiting() {
    return waiting.peekFirst();
  }

  void removeFirstWaiting() {
    uncount(waiting.removeFirst());
  }

  UnacknowledgedBatch firstInFlight() {
    return inFlight.peekFirst();
  }

  /**
   * Whether the first waiting batch may be sent: the limit in flight is not reached, and none is
   * sent alone.
   */
  boolean mayGo(boolean alone, int mostInFlight) {
    return inFlight.isEmpty()
        || inFlight.size() < mostInFlight && !alone && !inFlight.getLast().isAlone();
  }

  /** Moves the first waiting batch in flight. */
  UnacknowledgedBatch handOver() {
    UnacknowledgedBatch next = waiting.getFirst();
    inFlight.addLast(next);
    waiting.removeFirst();
    bytesInFlight += next.bytes();
    return next;
  }

  /** Removes the first batch in flight. */
  void acknowledgeFirst() {
    UnacknowledgedBatch first = inFlight.removeFirst();
    bytesInFlight -= first.bytes();
    uncount(first);
  }

  /** Returns all batches in flight, in order, to the front of the waiting ones. */
  void rewind() {
    bytesInFlight = 0;
    while (!inFlight.isEmpty()) {
      waiting.addFirst(inFlight.getLast());
      inFlight.removeLast();
    }
  }

  /** All batches in sending order. */
  List<UnacknowledgedBatch> all() {
    List<UnacknowledgedBatch> all = new ArrayList<>(inFlight);
    all.addAll(waiting);
    return all;
  }

  int count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  long bytesInFlight() {
    return bytesInFlight;
  }
}

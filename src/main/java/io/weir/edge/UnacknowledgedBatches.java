package io.weir.edge;

import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;

/**
 * A partition's batches that have their sequence and are not acknowledged: first those in flight,
 * then those that wait, all in the order of their sequences. Guarded by its partition's queue; the
 * sums are the sender thread's.
 */
final class UnacknowledgedBatches {
  // Linked: where there is no memory to add one, they are as they were.
  private final Deque<UnacknowledgedBatch> inFlight = new LinkedList<>();
  private final Deque<UnacknowledgedBatch> waiting = new LinkedList<>();
  private int count;
  private long bytes;
  private long bytesInFlight;

  /** The batch counts from now on; it may wait for the journal before it is enqueued. */
  void count(UnacknowledgedBatch batch) {
    count++;
    bytes += batch.bytes();
  }

  /** The batch does not count any more. */
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

  /** Whether the first that waits may go: few enough are in flight, and none goes alone. */
  boolean mayGo(boolean alone, int mostInFlight) {
    return inFlight.isEmpty()
        || inFlight.size() < mostInFlight && !alone && !inFlight.getLast().isAlone();
  }

  /** The first that waits is in flight now. */
  UnacknowledgedBatch handOver() {
    UnacknowledgedBatch next = waiting.getFirst();
    inFlight.addLast(next);
    waiting.removeFirst();
    bytesInFlight += next.bytes();
    return next;
  }

  /** Takes out the first that is in flight. */
  void acknowledgeFirst() {
    UnacknowledgedBatch first = inFlight.removeFirst();
    bytesInFlight -= first.bytes();
    uncount(first);
  }

  /** Everything in flight waits again, in its order and before all else. */
  void rewind() {
    bytesInFlight = 0;
    while (!inFlight.isEmpty()) {
      waiting.addFirst(inFlight.getLast());
      inFlight.removeLast();
    }
  }

  /** In the order in which they go out. */
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

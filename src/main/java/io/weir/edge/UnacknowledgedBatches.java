package io.weir.edge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A partition's batches that have their sequence and are not acknowledged: first those in flight,
 * then those that wait, all in the order of their sequences. Guarded by its partition's queue; the
 * sums are the sender thread's.
 */
final class UnacknowledgedBatches {
  private final Deque<InFlightBatch> inFlight = new ArrayDeque<>();
  private final Deque<InFlightBatch> waiting = new ArrayDeque<>();
  private int count;
  private long bytes;
  private long bytesInFlight;

  /** The batch counts from now on; it may wait for the journal before it is enqueued. */
  void count(InFlightBatch batch) {
    count++;
    bytes += batch.bytes();
  }

  /** The batch does not count any more. */
  void uncount(InFlightBatch batch) {
    count--;
    bytes -= batch.bytes();
  }

  void enqueue(InFlightBatch batch) {
    waiting.addLast(batch);
  }

  InFlightBatch firstWaiting() {
    return waiting.peekFirst();
  }

  void removeFirstWaiting() {
    uncount(waiting.removeFirst());
  }

  InFlightBatch firstInFlight() {
    return inFlight.peekFirst();
  }

  /** Whether the first that waits may go: few enough are in flight, and none goes alone. */
  boolean mayGo(boolean alone, int mostInFlight) {
    return inFlight.isEmpty()
        || inFlight.size() < mostInFlight && !alone && !inFlight.getLast().isAlone();
  }

  /** The first that waits is in flight now. */
  InFlightBatch handOver() {
    InFlightBatch next = waiting.removeFirst();
    bytesInFlight += next.bytes();
    inFlight.addLast(next);
    return next;
  }

  /** Takes out the first that is in flight. */
  void acknowledgeFirst() {
    InFlightBatch first = inFlight.removeFirst();
    bytesInFlight -= first.bytes();
    uncount(first);
  }

  /** Everything in flight waits again, in its order and before all else. */
  void rewind() {
    bytesInFlight = 0;
    while (!inFlight.isEmpty()) {
      waiting.addFirst(inFlight.removeLast());
    }
  }

  /** In the order in which they go out. */
  List<InFlightBatch> all() {
    List<InFlightBatch> all = new ArrayList<>(inFlight);
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

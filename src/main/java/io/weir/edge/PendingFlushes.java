package io.weir.edge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Counts the acknowledged or dropped batches of a partition, and has the flushes that wait for
 * more. Guarded by its partition's queue, except the tickets: the caller completes a removed ticket
 * outside the lock, because user code may depend on it.
 */
final class PendingFlushes {
  private final Deque<FlushTicket.Part> flushes = new ArrayDeque<>();
  private long settledBatches;

  /** Makes the flush wait until this number of batches is settled. */
  void add(FlushTicket ticket, long batches) {
    if (batches > settledBatches) {
      ticket.addPart();
      flushes.addLast(new FlushTicket.Part(batches, ticket));
    }
  }

  void settle(long batches) {
    settledBatches += batches;
  }

  boolean areSettled(long batches) {
    return settledBatches == batches;
  }

  /** Removes and returns a flush whose number is reached; null if there is none. */
  FlushTicket.Part takeReached() {
    boolean reached = !flushes.isEmpty() && flushes.getFirst().settledBatches() <= settledBatches;
    return reached ? flushes.removeFirst() : null;
  }

  List<FlushTicket.Part> takeAll() {
    List<FlushTicket.Part> all = List.copyOf(flushes);
    flushes.clear();
    return all;
  }
}

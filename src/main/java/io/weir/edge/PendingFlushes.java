package io.weir.edge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * How many batches of a partition are acknowledged or given up, and the flushes that wait for more.
 * Guarded by its partition's queue, but for the tickets: who takes one completes it outside of the
 * lock, as anything may depend on it.
 */
final class PendingFlushes {
  private final Deque<FlushTicket.Part> flushes = new ArrayDeque<>();
  private long settledBatches;

  /** Makes the flush wait until so many batches are settled. */
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

  /** A flush that has what it waited for; null where none has. */
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

package io.weir.edge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A flush that waits for the pending batches of every partition. It starts with an extra part, so
 * that it cannot complete while partitions are still added. Complete it without holding locks:
 * dependent actions run immediately.
 */
final class FlushTicket {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final AtomicInteger parts = new AtomicInteger(1);

  /**
   * A partition's part.
   *
   * @param settledBatches number of its batches that must be acknowledged
   */
  record Part(long settledBatches, FlushTicket ticket) {}

  void addPart() {
    parts.incrementAndGet();
  }

  void partDone() {
    if (parts.decrementAndGet() == 0) {
      done.complete(null);
    }
  }

  void abandon() {
    done.completeExceptionally(
        new IllegalStateException("the publisher was closed before everything was acknowledged"));
  }

  CompletableFuture<Void> done() {
    return done;
  }
}

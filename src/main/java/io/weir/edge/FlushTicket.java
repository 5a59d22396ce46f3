package io.weir.edge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A flush that waits for every partition to get as far as it was. It starts with one part of its
 * own, so that it cannot complete while partitions are still being asked. Nothing may be locked
 * where it completes: what depends on it runs at once.
 */
final class FlushTicket {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final AtomicInteger parts = new AtomicInteger(1);

  /**
   * A partition's part.
   *
   * @param settledBatches how many of its batches must be acknowledged
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

package io.weir.edge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A flush that waits for the last batch of each lane. It starts with one part of its own, so that
 * it cannot complete while lanes are still being asked.
 */
final class FlushTicket {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final AtomicInteger parts = new AtomicInteger(1);

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

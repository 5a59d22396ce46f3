package io.weir.internal.registry;

import org.apache.kafka.common.errors.InterruptException;

/** A way to wait. */
@FunctionalInterface
public interface Pause {
  /** Sleeps. */
  Pause SLEEP =
      ms -> {
        try {
          Thread.sleep(ms);
        } catch (InterruptedException e) {
          throw new InterruptException(e);
        }
      };

  /**
   * Waits for a number of milliseconds.
   *
   * @throws InterruptException if the thread is interrupted
   */
  void pass(long ms);
}

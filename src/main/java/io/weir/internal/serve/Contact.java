package io.weir.internal.serve;

import io.weir.internal.time.MonotonicClock;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Asks the brokers every two seconds whether they are there: a consumer does not say. One thread of
 * its own; any may ask.
 */
final class Contact implements AutoCloseable {
  private static final long EVERY_MS = 2_000;
  private static final long ANSWER_MS = 2_000;
  private static final long AWAY_MS = 7_000;

  private final Admin admin;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-serve-contact");
            thread.setDaemon(true);
            return thread;
          });
  private volatile long seenMs = System.currentTimeMillis();
  private volatile long seenAt = MonotonicClock.millis();

  /**
   * @param admin stays the caller's to close
   */
  Contact(Admin admin) {
    this.admin = admin;
    executor.scheduleWithFixedDelay(this::ask, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
  }

  private void ask() {
    try {
      admin.describeCluster().clusterId().get(ANSWER_MS, TimeUnit.MILLISECONDS);
      seen();
    } catch (ExecutionException | TimeoutException e) {
      return; // The age of the last answer says it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The brokers have answered. */
  void seen() {
    seenMs = System.currentTimeMillis();
    seenAt = MonotonicClock.millis();
  }

  /** The wall clock at their last answer. */
  long seenMs() {
    return seenMs;
  }

  /** How long ago they last answered. */
  long ageMs() {
    return MonotonicClock.millis() - seenAt;
  }

  boolean isConnected() {
    return ageMs() < AWAY_MS;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}

package io.weir.internal.serve;

import io.weir.internal.time.MonotonicClock;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The findings of the doctor, made when somebody asks and the last ones are older than a minute.
 */
final class DoctorCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DoctorCache.class);
  private static final long KEPT_MS = 60_000;
  private static final long FIRST_WAIT_MS = 15_000;

  private final Supplier<String> doctor;
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-serve-doctor");
            thread.setDaemon(true);
            return thread;
          });
  private Optional<String> findings = Optional.empty();
  private long askedAt;
  private boolean asked;

  /**
   * @param doctor makes the findings, as JSON; takes some seconds
   */
  DoctorCache(Supplier<String> doctor) {
    this.doctor = doctor;
  }

  /** The last findings; empty if the first take longer than one caller may wait for them. */
  synchronized Optional<String> get() {
    if (!asked || MonotonicClock.millis() - askedAt >= KEPT_MS) {
      asked = true;
      askedAt = MonotonicClock.millis();
      executor.execute(this::make);
      awaitFirst();
    }
    return findings;
  }

  private void awaitFirst() {
    long endMs = MonotonicClock.millis() + FIRST_WAIT_MS;
    try {
      for (long left = FIRST_WAIT_MS;
          findings.isEmpty() && left > 0;
          left = endMs - MonotonicClock.millis()) {
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void make() {
    try {
      String made = doctor.get();
      synchronized (this) {
        findings = Optional.of(made);
        notifyAll();
      }
    } catch (RuntimeException e) {
      LOG.warn("the doctor could not look: {}", e.toString());
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}

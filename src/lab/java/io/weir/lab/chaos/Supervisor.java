package io.weir.lab.chaos;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts applications again that ended by themselves, as a supervisor in production does: a bounded
 * number of thread deaths ends the process. In a thread of its own until it is closed.
 */
final class Supervisor implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(500);

  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread;

  Supervisor(List<Application> applications, Runnable startedAgain) {
    thread = new Thread(() -> supervise(applications, startedAgain), "supervisor");
    thread.setDaemon(true);
    thread.start();
  }

  private void supervise(List<Application> applications, Runnable startedAgain) {
    while (!Waiting.until(LOOK, closed::get)) {
      for (Application application : applications) {
        try {
          if (application.startIfDied()) {
            startedAgain.run();
          }
        } catch (IllegalStateException e) {
          return; // This process was asked to end, and ended the applications.
        }
      }
    }
  }

  @Override
  public void close() {
    closed.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

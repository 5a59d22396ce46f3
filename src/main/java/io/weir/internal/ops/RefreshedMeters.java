package io.weir.internal.ops;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Refreshes meters that no page serves every few seconds. The caller closes it. */
public final class RefreshedMeters implements AutoCloseable {
  private static final long EVERY_SECONDS = 5;

  private final ServiceMeters meters;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-meters");
            thread.setDaemon(true);
            return thread;
          });

  private RefreshedMeters(ServiceMeters meters) {
    this.meters = meters;
    timer.scheduleWithFixedDelay(meters::refresh, 0, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** Begins. */
  public static RefreshedMeters of(ServiceMeters meters) {
    return new RefreshedMeters(meters);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    meters.close();
  }
}

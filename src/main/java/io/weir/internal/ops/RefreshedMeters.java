package io.weir.internal.ops;

import io.weir.internal.time.Daemons;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refreshes meters every few seconds, whether or not somebody reads them and whether or not
 * anything succeeds: a registry may send them away by itself. The caller closes it.
 */
public final class RefreshedMeters implements ServiceMeters {
  private static final Logger LOG = LoggerFactory.getLogger(RefreshedMeters.class);
  private static final long EVERY_SECONDS = 5;

  private final ServiceMeters meters;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-meters"));

  private RefreshedMeters(ServiceMeters meters) {
    this.meters = meters;
    timer.scheduleWithFixedDelay(this::refreshByTimer, 0, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** An exception would end the timer. */
  private void refreshByTimer() {
    try {
      meters.refresh();
    } catch (RuntimeException e) {
      LOG.debug("meters were not refreshed", e);
    }
  }

  /** Begins. */
  public static RefreshedMeters of(ServiceMeters meters) {
    return new RefreshedMeters(meters);
  }

  @Override
  public void refresh() {
    meters.refresh();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    meters.close();
  }
}

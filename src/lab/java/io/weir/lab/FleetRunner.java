package io.weir.lab;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a fleet run in real time, in a thread of its own. */
public final class FleetRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FleetRunner.class);
  private static final long TICK_MS = 20;

  private final SimulatedFleet fleet;
  private final long startNanos = System.nanoTime();
  private volatile boolean stopped;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "weir-fleet");

  private FleetRunner(SimulatedFleet fleet) {
    this.fleet = fleet;
  }

  public static FleetRunner start(SimulatedFleet fleet) {
    FleetRunner runner = new FleetRunner(fleet);
    runner.thread.setDaemon(true);
    runner.thread.start();
    return runner;
  }

  /** Milliseconds since the start. */
  public long elapsedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  /**
   * Stops the sensors, brings every gateway online, sends what waits and waits for its
   * acknowledgement. To be called once.
   *
   * @param timeout for all of it
   * @return whether everything was sent and acknowledged
   */
  public boolean stop(Duration timeout) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    stopped = true;
    stop.countDown();
    try {
      thread.join(Math.max(1, timeout.toMillis()));
      boolean drained = fleet.drain();
      while (!drained && System.nanoTime() < deadlineNanos) {
        Thread.sleep(TICK_MS);
        drained = fleet.drain();
      }
      long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
      return fleet.close(Duration.ofNanos(leftNanos)) && drained;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Stops in a hurry, unless {@link #stop} was called. */
  @Override
  public void close() {
    if (!stopped) {
      stop(Duration.ZERO);
    }
  }

  private void run() {
    try {
      while (!stop.await(TICK_MS, TimeUnit.MILLISECONDS)) {
        fleet.advanceTo(elapsedMs());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("the simulated fleet makes no progress", e);
    }
  }
}

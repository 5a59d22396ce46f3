package io.weir.internal.app;

import java.util.concurrent.locks.LockSupport;

/** Traffic that flows by itself, a round after the other, until it is stopped. */
final class TrafficFlow {
  private static final long PAUSE_NANOS = 50_000_000;

  private final Thread thread;
  private volatile boolean stopping;
  private volatile Throwable failure;

  /**
   * @param traffic is this one's alone until it is stopped
   */
  TrafficFlow(BrokerTraffic traffic) {
    thread = new Thread(() -> flow(traffic), "traffic");
    thread.start();
  }

  private void flow(BrokerTraffic traffic) {
    try {
      while (!stopping) {
        traffic.send(1);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      failure = e;
    }
  }

  /** Stops it; fails if it had stopped by itself. */
  void stop() throws InterruptedException {
    stopping = true;
    thread.join();
    if (failure != null) {
      throw new AssertionError("the traffic broke off", failure);
    }
  }
}

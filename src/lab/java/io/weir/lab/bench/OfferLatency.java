package io.weir.lab.bench;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import java.util.concurrent.locks.LockSupport;

/**
 * Weir's publisher at a rate it is given: the time from when a reading was to be offered to its
 * acknowledgement. A reading that had to wait for its offer has waited: nothing is left out.
 */
final class OfferLatency extends LatencyWork {
  private static final long NANOS = 1_000_000_000;

  private final GatewayReadings readings = new GatewayReadings(System.currentTimeMillis());
  private final ReadingPublisher publisher;
  private volatile boolean closed;

  OfferLatency(Task task) {
    super(task);
    this.publisher =
        ReadingPublisher.start(RunTopics.gateway(task, RunTopics.createFor(task)).build());
  }

  @Override
  public void start() {
    Thread offering = new Thread(this::offerAll, "offering");
    offering.setDaemon(true);
    offering.start();
  }

  private void offerAll() {
    long startNanos = System.nanoTime();
    for (int i = 0; i < task.readings() && !closed; i++) {
      long dueNanos = startNanos + i * NANOS / task.perSecond();
      while (System.nanoTime() < dueNanos) {
        LockSupport.parkNanos(dueNanos - System.nanoTime());
      }
      offer(i, dueNanos);
    }
  }

  private void offer(int number, long dueNanos) {
    while (!closed
        && publisher.offer(
                readings.get(number), () -> latencies.record(number, System.nanoTime() - dueNanos))
            != Offer.ACCEPTED) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    closed = true;
    publisher.close();
  }
}

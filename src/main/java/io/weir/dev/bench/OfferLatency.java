package io.weir.dev.bench;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import java.util.concurrent.locks.LockSupport;

/**
 * Weir's publisher at a rate it is given: the time from when a reading was to be offered to its
 * acknowledgement. A reading that had to wait for its offer has waited: nothing is left out.
 */
final class OfferLatency implements Work {
  private static final long NANOS = 1_000_000_000;

  private final Task task;
  private final Latencies latencies;
  private final GatewayReadings readings = new GatewayReadings(System.currentTimeMillis());
  private final ReadingPublisher publisher;
  private volatile boolean closed;

  OfferLatency(Task task) {
    this.task = task;
    this.latencies = new Latencies(Math.toIntExact(task.readings()));
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
  public long processed() {
    return latencies.known();
  }

  @Override
  public boolean settled() {
    return true;
  }

  @Override
  public Figures extras() {
    return latencies.figures((int) task.warmUp());
  }

  @Override
  public void close() {
    closed = true;
    publisher.close();
  }
}

package io.weir.lab.bench;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import java.util.concurrent.locks.LockSupport;

/**
 * Weir's publisher with its defaults: one thread offers as fast as readings are taken. A reading is
 * done when it is acknowledged.
 */
final class PublisherWork implements Work {
  private static final long FULL_PAUSE_NANOS = 200_000;

  private final Task task;
  private final GatewayReadings readings = new GatewayReadings(System.currentTimeMillis());
  private final ReadingPublisher publisher;
  private volatile long accepted;
  private volatile boolean closed;

  PublisherWork(Task task) {
    this.task = task;
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
    for (long i = 0; i < task.readings() && !closed; i++) {
      while (publisher.offer(readings.get(i)) != Offer.ACCEPTED && !closed) {
        LockSupport.parkNanos(FULL_PAUSE_NANOS);
      }
      if ((i & 1023) == 0 || i == task.readings() - 1) {
        accepted = i + 1;
      }
    }
  }

  @Override
  public long processed() {
    long offered = accepted;
    return Math.max(0, offered - publisher.queuedReadings());
  }

  @Override
  public boolean settled() {
    return publisher.queuedReadings() == 0;
  }

  @Override
  public void close() {
    closed = true;
    publisher.close();
  }
}

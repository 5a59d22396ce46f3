package io.weir.lab.bench;

import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;

/** A gateway of a paced fleet. One thread offers, and looks after it while it waits. */
interface FleetGateway extends AutoCloseable {
  /** Whether the reading was taken; if not, it is offered again. */
  boolean offer(Reading reading);

  /** Sends what has waited for the flush interval. */
  default void look() {}

  /** Sends what is there at once: nothing comes after it. */
  default void flush() {}

  /** Sends what is there, and waits until it is acknowledged. */
  @Override
  void close();

  /** Weir's publisher, which has a thread of its own. */
  static FleetGateway publishing(PublisherSettings settings) {
    ReadingPublisher publisher = ReadingPublisher.start(settings);
    return new FleetGateway() {
      @Override
      public boolean offer(Reading reading) {
        return publisher.offer(reading) == Offer.ACCEPTED;
      }

      @Override
      public void close() {
        publisher.close();
      }
    };
  }
}

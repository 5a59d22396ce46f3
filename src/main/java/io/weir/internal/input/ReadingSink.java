package io.weir.internal.input;

import io.weir.edge.Acknowledgement;
import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;

/** Where readings go: a publisher that stores them on disk. Thread-safe. */
public interface ReadingSink {
  /**
   * Offers a reading.
   *
   * @param nanosOfMs nanoseconds of its time below the millisecond
   * @param stored called once when an accepted reading is on disk; those of a partition in the
   *     order of their offers
   */
  Offer offer(Reading reading, int nanosOfMs, Acknowledgement stored);

  /** Attests that the sensor is complete below a time, if there is room; windows wait otherwise. */
  void complete(String sensorId, long throughMs);

  /** Whether readings are likely to be accepted and stored now. */
  boolean hasRoom();

  /** A publisher as a sink. */
  static ReadingSink of(ReadingPublisher publisher) {
    return new ReadingSink() {
      @Override
      public Offer offer(Reading reading, int nanosOfMs, Acknowledgement stored) {
        return publisher.offer(reading, nanosOfMs, stored);
      }

      @Override
      public void complete(String sensorId, long throughMs) {
        publisher.complete(sensorId, throughMs);
      }

      @Override
      public boolean hasRoom() {
        return publisher.hasRoom();
      }
    };
  }
}

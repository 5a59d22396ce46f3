package io.weir.topology;

import io.weir.event.EventRefusal;
import io.weir.reading.RejectReason;

/**
 * Is told what comes in of a topic of events. Called by many stream threads at once. What an
 * aborted transaction did is counted again when it is done again.
 */
public interface IntakeMeasures {
  /** Which of the two topics of events. */
  enum Source {
    EVENTS,
    SCHEDULED
  }

  /** Events of a batch that was decoded, whatever became of them. */
  void events(Source source, int events);

  /** Events of a batch that had come before. */
  void duplicate(Source source, int events);

  /** Events of a batch that is refused as a whole. */
  void refused(Source source, RejectReason reason, int events);

  void refused(Source source, EventRefusal reason, int events);

  /** A record that cannot be decoded. */
  void undecodable(Source source, RejectReason reason);

  /** A record whose append time is behind that of the one before. */
  void appendTimeWentBack();
}

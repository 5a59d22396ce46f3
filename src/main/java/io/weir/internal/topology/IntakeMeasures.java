package io.weir.internal.topology;

import io.weir.internal.event.EventRefusal;
import io.weir.reading.RejectReason;
import java.util.List;

/**
 * Counts the input of a topic of events. Called by many stream threads at once. What an aborted
 * transaction did is counted again when it is done again.
 */
public interface IntakeMeasures {
  /** Which input. */
  enum Source {
    EVENTS,
    SCHEDULED,
    /** Summaries of sensors, on their way to groups. */
    GROUP_PARTS,
    /** Parts of groups. */
    GROUPS;

    /** Those that are batches of events. */
    public static final List<Source> OF_EVENTS = List.of(EVENTS, SCHEDULED);
  }

  /** Events of a batch that was decoded, whatever became of them. */
  void events(Source source, int events);

  /** Events of a batch that had come before. */
  void duplicate(Source source, int events);

  /** Events of a batch that is refused as a whole. */
  void refused(Source source, RejectReason reason, int events);

  void refused(Source source, EventRefusal reason, int events);

  /** A batch that is accepted without a signature. */
  void unsigned(Source source);

  /** A version of the file of gateways was read, or refused. */
  void gatewaysFile(boolean accepted);

  /** A record that cannot be decoded. */
  void undecodable(Source source, RejectReason reason);

  /** Records that were deleted before they were read, counted as offsets. */
  void deletedUnread(long records);

  /** A record whose append time is behind that of the one before. */
  void appendTimeWentBack();
}

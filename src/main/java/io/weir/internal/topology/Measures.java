package io.weir.internal.topology;

import io.weir.internal.alarm.SensorState;
import io.weir.internal.alarm.StatusCounts;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Omission;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.RejectReason;
import java.util.Map;

/**
 * Counts what happens to every record, batch, reading and window. Called by many stream threads at
 * once. Work of an aborted transaction is counted again when it is repeated: only the topics have
 * exact results.
 */
public interface Measures {
  /** A batch that was decoded, whatever became of it. */
  void batch(int readings);

  void aggregated(int readings);

  void late(int readings);

  /** Late ones too: their windows may lack others, which were deleted unread. */
  void withheld(int readings);

  /** Windows that may lack readings which were deleted unread, each about once. */
  void windowsWithheld(long windows);

  /** Withheld windows with readings that were not emitted when the loss was accepted. */
  void windowsLeft(long windows);

  /** Records that were deleted before they were read, counted as offsets. */
  void deletedUnread(long records);

  void duplicate(int readings);

  /** Readings refused; for what cannot be decoded see {@link #undecodable}. */
  void rejected(RejectReason reason, int readings);

  /** A record that cannot be decoded: nobody knows how many readings it has. */
  void undecodable(RejectReason reason);

  /** A batch without signature was accepted, where signatures are checked. */
  void unsigned();

  void window(CloseReason reason);

  /** What a gateway said about the completeness of sensors and was not acted on. */
  void attestationsIgnored(IgnoredAttestation cause, int attestations);

  /** Late readings that were not to come any more, by what a gateway had said before. */
  void attestationsBroken(int readings);

  /** A rollup was emitted. */
  void rollup(CloseReason reason);

  /** A hopping window was emitted. */
  void hop(CloseReason reason);

  /** A rollup or hopping window, or statistics of one, that would be only a part. */
  void leftOut(Omission what);

  /**
   * A summary was emitted without integral and counter, as its window has more readings than are
   * kept for them.
   */
  void samplesOverflowed();

  /**
   * A batch of which something was aggregated: its append time minus the newest event time of its
   * sensors, in milliseconds; below 0 where that is ahead.
   */
  void watermarkLag(long lagMs);

  /** The status of a sensor was sent, with the state that it is in. */
  void status(SensorState state);

  /** An alarm became active, or cleared. */
  void alarm(int priority, boolean active);

  /**
   * The state of the sensors of a partition, now and then, where status or alarms are on.
   *
   * @param counts good during the call alone
   */
  void statuses(int partition, StatusCounts counts);

  /**
   * A record's append time is behind that of the record before it: the clocks of the partition's
   * leaders differ.
   */
  void appendTimeWentBack();

  /**
   * The state of a partition, now and then.
   *
   * @param sensors in the state, marks of forgotten ones included
   * @param windows in the state: open, or closed and kept for late readings
   */
  void partition(int partition, int sensors, long windows);

  /**
   * How much of what a partition may keep is used, now and then: each from 0 to 1, or above where
   * the limit was lowered.
   */
  void capsUsed(int partition, double sensors, double gateways, double sensorsOfOneGateway);

  /** A whole minute of a partition's log time has ended. */
  void hot(HotMinute minute);

  /**
   * How many batches of a partition were skipped, have not come and still may, when that has
   * changed.
   *
   * @param byGateway each gateway that lacks some; good during the call alone
   */
  void missingBatches(int partition, Map<String, Long> byGateway);

  /** Batches that were skipped and are remembered no longer: they are lost. */
  void batchesLostForGood(long batches);

  /** The sequences of a gateway were cleared in a partition. */
  void gatewayReset();

  /**
   * A version of the file of gateways was seen; otherwise than accepted, the one before holds on.
   */
  void gatewaysFile(boolean accepted);

  /** The partition is no longer this process's. */
  void partitionGone(int partition);
}

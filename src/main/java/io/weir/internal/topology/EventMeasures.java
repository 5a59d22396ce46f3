package io.weir.internal.topology;

import io.weir.internal.event.FoldReason;
import io.weir.internal.event.Timers;
import io.weir.internal.group.Groups;

/**
 * Counts what happens to events. Called by many stream threads at once. Work of an aborted
 * transaction is counted again when it is repeated: only the topics have exact results.
 */
public interface EventMeasures extends IntakeMeasures {
  /** An order to schedule or to cancel was carried out. */
  void ordered(Timers.Outcome outcome);

  /**
   * A timer came due and its event was written.
   *
   * @param lateMs append time of the record with which it was, less the time at which it was due
   */
  void fired(long lateMs);

  /** Events were folded into one. */
  void folded(FoldReason reason, long events);

  /** A key had an event again within one quiet time after its fold was emitted as quiet. */
  void reopened();

  /** What a partition holds, and what it takes in memory; updated every second or so. */
  void waiting(int partition, int timers, long bytes);

  void folding(int partition, int keys, long bytes);

  /** A sensor's summary came to its group. */
  void grouped(Groups.Outcome outcome);

  /**
   * A window of a group was emitted.
   *
   * @param again whether it had been before
   */
  void groupEmitted(boolean again);

  /**
   * A window of a group was dropped.
   *
   * @param early whether it made room for others
   */
  void groupDropped(boolean early);

  /** Windows of groups were left out: parts of them may have been deleted before they were read. */
  void groupsLeftOut(int windows);

  /** How many windows of groups a partition holds, and what they take in memory. */
  void grouping(int partition, int windows, long bytes);

  /** The task with a partition of a topic is closed. */
  void gone(Source source, int partition);
}

package io.weir.topology;

import io.weir.reading.RejectReason;
import io.weir.window.CloseReason;

/**
 * Is told what becomes of every record, batch, reading and window. Called by many stream threads at
 * once. What an aborted transaction did is counted again when it is done again: the topics are the
 * truth, this is what to watch.
 */
public interface Measures {
  /** A batch that was decoded, whatever became of it. */
  void batch(int readings);

  void aggregated(int readings);

  void late(int readings);

  void duplicate(int readings);

  /** Readings refused; for what cannot be decoded see {@link #undecodable}. */
  void rejected(RejectReason reason, int readings);

  /** A record that cannot be decoded: nobody knows how many readings it has. */
  void undecodable(RejectReason reason);

  void window(CloseReason reason);

  /**
   * How a partition stands, now and then.
   *
   * @param sensors in the state, marks of forgotten ones included
   * @param lostBatches skipped by their gateways and not come
   */
  void partition(int partition, int sensors, long lostBatches);

  /** The partition is no longer this process's. */
  void partitionGone(int partition);
}

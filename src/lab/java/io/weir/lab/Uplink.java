package io.weir.lab;

import io.weir.reading.Reading;
import java.time.Duration;

/** A gateway's way to the brokers. Used by the fleet's thread alone. */
interface Uplink {
  /**
   * Takes a reading to send, and counts it in the ledger once it is acknowledged.
   *
   * @return false where it takes nothing now: offer it again later
   */
  boolean offer(Reading reading, FleetLedger.Kind kind);

  /** Sends what is held back. Returns at once. */
  void flush();

  /**
   * Sends all that was taken and waits for its acknowledgement, for at most that long.
   *
   * @return whether all of it was acknowledged
   */
  boolean close(Duration timeout);
}

package io.weir.lab.cli.demo;

import io.weir.lab.AuditTally;
import io.weir.lab.Balance;
import java.util.List;

/**
 * Everything there is to see at one moment.
 *
 * @param elapsedMs since the fleet started
 * @param setup the demo in a few words
 * @param readings on the topic, by seconds
 * @param windows emitted, by seconds
 * @param lag records that the application has not committed, by samples, the newest last
 * @param balance as far as it is known; what is missing is on the way, as long as readings come
 */
record DemoSnapshot(
    DemoPhase phase,
    long elapsedMs,
    String setup,
    Rates readings,
    Rates windows,
    double[] lag,
    AuditTally tally,
    Balance balance,
    LiveEvents.View events,
    List<FaultReport> faults,
    List<LiveSensors.View> sensors) {
  /**
   * @param perSecond in the last second
   * @param history of the seconds before, the oldest first
   */
  record Rates(double perSecond, double[] history) {
    static Rates of(RateHistory history) {
      return new Rates(history.perSecond(), history.history());
    }
  }

  long lagNow() {
    return lag.length == 0 ? 0 : (long) lag[lag.length - 1];
  }
}

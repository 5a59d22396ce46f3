package io.weir.lab.cli.demo;

import io.weir.cli.screen.Numbers;
import io.weir.lab.AuditTally;
import io.weir.lab.Fault;
import io.weir.lab.FaultScript;
import io.weir.lab.FleetLedger;
import io.weir.lab.FleetSettings;
import io.weir.reading.RejectReason;
import java.time.Duration;

/**
 * One fault in words: what happens now or when it comes, and what became of it on the topics.
 *
 * @param on whether it happens now
 * @param what happens, or will
 * @param sent readings, or records of poison, that it touched and that were acknowledged
 * @param found how many of them were found on the topics as they should be
 * @param as what they should be
 */
record FaultReport(Fault fault, boolean on, String what, long sent, long found, String as) {
  /**
   * What a report is made from.
   *
   * @param running whether the fleet still runs; when it does not, no fault does
   * @param waiting readings that wait at the gateway that goes offline
   */
  record Facts(
      FleetSettings fleet,
      FaultScript script,
      long elapsedMs,
      boolean running,
      FleetLedger ledger,
      AuditTally tally,
      int waiting) {}

  static FaultReport of(Fault fault, Facts facts) {
    boolean on = facts.running() && facts.script().isOn(fault, facts.elapsedMs());
    long sent = facts.ledger().count(fault.kind());
    return new FaultReport(
        fault,
        on,
        what(fault, on, facts) + when(fault, on, facts),
        sent,
        found(fault, sent, facts.tally()),
        as(fault));
  }

  private static String what(Fault fault, boolean on, Facts facts) {
    return switch (fault) {
      case OFFLINE ->
          on
              ? "offline, " + Numbers.grouped(facts.waiting()) + " wait"
              : "goes offline and returns";
      case RESENDS -> "sends batches again";
      case FUTURE_CLOCK -> "clock " + spoken(facts.fleet().clockAheadMs()) + " ahead";
      case SLOW_CLOCK -> "clock " + spoken(FleetSettings.CLOCK_BEHIND_MS) + " behind";
      case NOT_A_NUMBER -> "NaN among good readings";
      case MISROUTED -> "wrong partition";
      case POISON -> "records that are no batch";
      case OLD_READINGS -> "readings " + spoken(FleetSettings.OLD_MS) + " old";
    };
  }

  private static String when(Fault fault, boolean on, Facts facts) {
    if (!facts.running() || fault.always()) {
      return "";
    }
    String time = Numbers.seconds(facts.script().untilChangeMs(fault, facts.elapsedMs()));
    return on ? ", " + time + " more" : ", in " + time;
  }

  private static String spoken(long ms) {
    return Numbers.spoken(Duration.ofMillis(ms));
  }

  /** What is neither rejected nor late nor a duplicate is in the windows, with all the others. */
  private static long found(Fault fault, long sent, AuditTally tally) {
    return switch (fault) {
      case OFFLINE, SLOW_CLOCK -> sent;
      case RESENDS -> tally.duplicatesOf(fault.gateway().gatewayId());
      case FUTURE_CLOCK -> tally.rejected(RejectReason.FUTURE_TIMESTAMP);
      case NOT_A_NUMBER -> tally.rejected(RejectReason.INVALID_VALUE);
      case MISROUTED -> tally.rejected(RejectReason.MISROUTED);
      case POISON -> tally.poisonRecords();
      case OLD_READINGS -> tally.late();
    };
  }

  /** What its readings should be. */
  static String as(Fault fault) {
    return switch (fault) {
      case OFFLINE -> "not late";
      case SLOW_CLOCK -> "harmless";
      case RESENDS -> "duplicates";
      case FUTURE_CLOCK -> RejectReason.FUTURE_TIMESTAMP.name();
      case NOT_A_NUMBER -> RejectReason.INVALID_VALUE.name();
      case MISROUTED -> RejectReason.MISROUTED.name();
      case POISON -> RejectReason.UNDECODABLE.name();
      case OLD_READINGS -> "late";
    };
  }

  /** Whether all that was sent is found as it should be. */
  boolean settled() {
    return found == sent;
  }
}

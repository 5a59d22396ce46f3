package io.weir.lab.chaos;

import io.weir.lab.Balance;
import io.weir.lab.oracle.AlarmCheck;
import io.weir.lab.oracle.CompletenessCounts;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.StatusRecordCounts;
import io.weir.reading.RejectReason;
import java.util.Map;

/**
 * What the oracle found on the topics of a run.
 *
 * @param findings what is not as it must be
 * @param balance counted on the topics
 * @param acknowledgedReadings by the gateways' ledgers, each batch once
 * @param acknowledgedRecords the same in records
 * @param records on the readings topic
 * @param windows that there are
 * @param emissions of them
 * @param completeness what came of attestations
 * @param status the status records of sensors
 * @param alarms the events of alarms
 * @param rejected readings by reason, records where the readings cannot be counted
 */
record RunVerdict(
    Findings findings,
    Balance balance,
    long acknowledgedReadings,
    long acknowledgedRecords,
    long records,
    long windows,
    long emissions,
    CompletenessCounts completeness,
    StatusRecordCounts status,
    AlarmCheck alarms,
    Map<RejectReason, Long> rejected) {
  boolean isExact() {
    return findings.areNone() && alarms.isExact() && balance.isWhole();
  }
}

package io.weir.lab.chaos;

import java.time.Duration;
import java.util.List;

/**
 * What came of the hostile table.
 *
 * @param played rows that were sent
 * @param refused rows that a broker or a database did not take
 * @param findings what was harmed, and by which row: empty if nothing was
 * @param longestWait of a neighbour's window after its end
 * @param readings of the neighbour, each in the windows once unless there is a finding
 */
public record HostileReport(
    int played, int refused, List<String> findings, Duration longestWait, long readings) {
  public HostileReport {
    findings = List.copyOf(findings);
  }

  /** Whether no process ended and no neighbour waited. */
  public boolean isHeld() {
    return findings.isEmpty();
  }

  /** As text. */
  public List<String> lines() {
    return List.of(
        "%,d attacks, %,d of them refused by the broker or the database; %d did harm"
            .formatted(played, refused, findings.size()),
        "%,d readings of the neighbour; no window of it came later than %s s after its end"
            .formatted(readings, Durations.seconds(longestWait)));
  }
}

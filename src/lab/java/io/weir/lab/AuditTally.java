package io.weir.lab;

import io.weir.reading.RejectReason;
import java.util.Map;

/**
 * What an auditor has counted on the topics so far; what aborted transactions wrote left out.
 *
 * @param batches decodable records on the readings topic
 * @param readings in these
 * @param undecodable other records there
 * @param emissions records on the windows topic
 * @param windows that these are of
 * @param inWindows readings in the windows' latest summaries
 * @param inRollups readings in the rollups' latest summaries, once for each size; 0 where there are
 *     none
 * @param late readings on the late topic
 * @param rejected readings on the dead-letter topic
 * @param rejectedByReason the same by reason, zeros left out
 * @param poisonRecords records on the dead-letter topic whose readings cannot be counted
 * @param duplicates readings in repeated batches
 * @param duplicatesByGateway the same by gateway, zeros left out
 */
public record AuditTally(
    long batches,
    long readings,
    long undecodable,
    long emissions,
    long windows,
    long inWindows,
    long inRollups,
    long late,
    long rejected,
    Map<RejectReason, Long> rejectedByReason,
    long poisonRecords,
    long duplicates,
    Map<String, Long> duplicatesByGateway) {
  /** Nothing yet. */
  public static final AuditTally NONE =
      new AuditTally(0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of(), 0, 0, Map.of());

  /** Holds what was counted against what was offered. */
  public Balance balance(long offered) {
    return new Balance(offered, inWindows, late, rejected, duplicates);
  }

  public long rejected(RejectReason reason) {
    return rejectedByReason.getOrDefault(reason, 0L);
  }

  public long duplicatesOf(String gatewayId) {
    return duplicatesByGateway.getOrDefault(gatewayId, 0L);
  }
}

package io.weir.redrive;

import io.weir.reading.RejectReason;
import java.util.Set;

/**
 * Which records are meant. Immutable.
 *
 * @param reasons those of dead letters; empty for any
 * @param gateways by their ids; empty for any, and for records whose gateway nobody knows
 * @param sinceMs append time of the record from which on, milliseconds since the epoch
 * @param untilMs append time of the record up to which, itself left out
 * @param notOf topics whose dead letters are not meant: they hold no readings
 */
public record RecordFilter(
    Set<RejectReason> reasons,
    Set<String> gateways,
    long sinceMs,
    long untilMs,
    Set<String> notOf) {
  public static final RecordFilter ALL =
      new RecordFilter(Set.of(), Set.of(), Long.MIN_VALUE, Long.MAX_VALUE);

  /** Of all topics. */
  public RecordFilter(Set<RejectReason> reasons, Set<String> gateways, long sinceMs, long untilMs) {
    this(reasons, gateways, sinceMs, untilMs, Set.of());
  }

  public RecordFilter {
    notOf = Set.copyOf(notOf);
    reasons = Set.copyOf(reasons);
    gateways = Set.copyOf(gateways);
  }

  /** Whether a record is meant. */
  boolean fits(RedriveRecord record) {
    return record.appendMs() >= sinceMs
        && record.appendMs() < untilMs
        && record.originTopic().filter(notOf::contains).isEmpty()
        && (reasons.isEmpty() || record.reason().filter(reasons::contains).isPresent())
        && (gateways.isEmpty() || record.gateway().filter(gateways::contains).isPresent());
  }
}

package io.weir.internal.redrive;

import java.util.Set;

/**
 * Selects records. Immutable.
 *
 * @param reasons reasons of dead letters; empty for any
 * @param gateways gateway ids; empty for any, including records with an unknown gateway
 * @param sinceMs first append time, in milliseconds since the epoch
 * @param untilMs end of the append times, exclusive
 * @param notOf topics whose dead letters are excluded, because they hold no readings
 */
public record RecordFilter(
    Set<? extends Enum<?>> reasons,
    Set<String> gateways,
    long sinceMs,
    long untilMs,
    Set<String> notOf) {
  public static final RecordFilter ALL =
      new RecordFilter(Set.of(), Set.of(), Long.MIN_VALUE, Long.MAX_VALUE);

  /** A filter for all topics. */
  public RecordFilter(
      Set<? extends Enum<?>> reasons, Set<String> gateways, long sinceMs, long untilMs) {
    this(reasons, gateways, sinceMs, untilMs, Set.of());
  }

  public RecordFilter {
    notOf = Set.copyOf(notOf);
    reasons = Set.copyOf(reasons);
    gateways = Set.copyOf(gateways);
  }

  /** Whether a record is selected. */
  boolean fits(RedriveRecord record) {
    return record.appendMs() >= sinceMs
        && record.appendMs() < untilMs
        && !record.isOfImport()
        && record.originTopic().filter(notOf::contains).isEmpty()
        && (reasons.isEmpty()
            || reasons.stream().anyMatch(reason -> reason.name().equals(record.reasonName())))
        && (gateways.isEmpty() || record.gateway().filter(gateways::contains).isPresent());
  }
}

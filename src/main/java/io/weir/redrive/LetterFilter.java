package io.weir.redrive;

import io.weir.reading.RejectReason;
import java.util.Set;

/**
 * Which letters are meant. Immutable.
 *
 * @param reasons those of dead letters; empty for any
 * @param gateways by their ids; empty for any, and for letters whose gateway nobody knows
 * @param sinceMs append time of the letter from which on, milliseconds since the epoch
 * @param untilMs append time of the letter up to which, itself left out
 */
public record LetterFilter(
    Set<RejectReason> reasons, Set<String> gateways, long sinceMs, long untilMs) {
  public static final LetterFilter ALL =
      new LetterFilter(Set.of(), Set.of(), Long.MIN_VALUE, Long.MAX_VALUE);

  public LetterFilter {
    reasons = Set.copyOf(reasons);
    gateways = Set.copyOf(gateways);
  }

  /** Whether a letter is meant. */
  boolean fits(Letter letter) {
    return letter.appendMs() >= sinceMs
        && letter.appendMs() < untilMs
        && (reasons.isEmpty() || letter.reason().filter(reasons::contains).isPresent())
        && (gateways.isEmpty() || letter.gateway().filter(gateways::contains).isPresent());
  }
}

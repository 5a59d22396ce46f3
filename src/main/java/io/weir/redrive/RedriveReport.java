package io.weir.redrive;

import java.util.Map;

/**
 * How far a redrive is, and what came of it. Immutable.
 *
 * @param offsetsLookedAt of the letters' topic
 * @param offsetsInAll up to where the topic ended when the redrive began
 * @param letters that fit the filter, by what was done with them
 * @param batches sent
 * @param readings sent in these
 * @param leftReadings that were left of letters that were sent, as they would be refused again
 */
public record RedriveReport(
    long offsetsLookedAt,
    long offsetsInAll,
    Map<Outcome, Long> letters,
    long batches,
    long readings,
    long leftReadings) {
  public RedriveReport {
    letters = Map.copyOf(letters);
  }

  public long letters(Outcome outcome) {
    return letters.getOrDefault(outcome, 0L);
  }

  /** Letters that fit the filter, whatever came of them. */
  public long fitting() {
    return letters.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Letters that fit and were left where they are, for another reason than an earlier redrive. */
  public long left() {
    return fitting()
        - letters(Outcome.SENT)
        - letters(Outcome.SENT_BEFORE)
        - letters(Outcome.CAME_BACK);
  }
}

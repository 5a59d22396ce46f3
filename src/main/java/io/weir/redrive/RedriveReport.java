package io.weir.redrive;

import java.util.Map;

/**
 * How far a redrive is, and what came of it. Immutable.
 *
 * @param offsetsLookedAt of the records' topic
 * @param offsetsInAll up to where the topic ended when the redrive began
 * @param records that fit the filter, by what was done with them
 * @param batches sent
 * @param readings sent in these
 * @param leftReadings that were left of records that were sent, as they would be refused again
 */
public record RedriveReport(
    long offsetsLookedAt,
    long offsetsInAll,
    Map<ResendOutcome, Long> records,
    long batches,
    long readings,
    long leftReadings) {
  public RedriveReport {
    records = Map.copyOf(records);
  }

  public long records(ResendOutcome outcome) {
    return records.getOrDefault(outcome, 0L);
  }

  /** Records that fit the filter, whatever came of them. */
  public long fitting() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Records that fit and were left where they are, for another reason than an earlier redrive. */
  public long left() {
    return fitting()
        - records(ResendOutcome.SENT)
        - records(ResendOutcome.SENT_BEFORE)
        - records(ResendOutcome.CAME_BACK);
  }
}

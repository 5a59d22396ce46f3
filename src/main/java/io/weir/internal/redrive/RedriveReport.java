package io.weir.internal.redrive;

import java.util.Map;

/**
 * The progress and the result of a redrive. Immutable.
 *
 * @param offsetsLookedAt processed offsets of the records' topic
 * @param offsetsInAll all offsets up to the end of the topic at the start
 * @param records matching records by outcome
 * @param batches sent batches
 * @param readings readings in these
 * @param leftReadings readings of sent records that were not sent, because they would be refused
 *     again
 * @param publishedReadings withheld readings that were not sent, because an earlier state published
 *     their windows
 */
public record RedriveReport(
    long offsetsLookedAt,
    long offsetsInAll,
    Map<ResendOutcome, Long> records,
    long batches,
    long readings,
    long leftReadings,
    long publishedReadings) {
  public RedriveReport {
    records = Map.copyOf(records);
  }

  public long records(ResendOutcome outcome) {
    return records.getOrDefault(outcome, 0L);
  }

  /** Records that match the filter, with any outcome. */
  public long fitting() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Matching records that were not sent, except those of an earlier redrive. */
  public long left() {
    return fitting()
        - records(ResendOutcome.SENT)
        - records(ResendOutcome.SENT_BEFORE)
        - records(ResendOutcome.CAME_BACK);
  }
}

package io.weir.internal.redrive;

import java.util.List;

/**
 * The batches to send for a record, or the reason to send none.
 *
 * @param outcome {@link ResendOutcome#SENT} if there are batches
 * @param key key of the records: the gateway id
 * @param batches the batches, each of one partition
 * @param readings number of readings in these batches
 * @param leftReadings readings of the record that would be refused again
 * @param publishedReadings readings of the record whose windows an earlier state published
 * @param batchId identifies the batch, or the part of one, among all records; 0 if unknown
 */
record Resend(
    ResendOutcome outcome,
    byte[] key,
    List<Batch> batches,
    int readings,
    int leftReadings,
    int publishedReadings,
    long batchId) {

  /** A batch for a partition of the readings. */
  record Batch(int partition, byte[] value) {}

  /** None of the readings, as an earlier state published the windows of some. */
  static Resend published(int readings) {
    return new Resend(ResendOutcome.PUBLISHED, new byte[0], List.of(), 0, 0, readings, 0);
  }

  static Resend none(ResendOutcome why) {
    return new Resend(why, new byte[0], List.of(), 0, 0, 0, 0);
  }
}

package io.weir.redrive;

import java.util.List;

/**
 * The batches to send for a record, or the reason to send none.
 *
 * @param outcome {@link ResendOutcome#SENT} if there are batches
 * @param key key of the records: the gateway id
 * @param batches the batches, each of one partition
 * @param readings number of readings in these batches
 * @param leftReadings readings of the record that would be refused again
 * @param batchId identifies the batch, or the part of one, among all records; 0 if unknown
 */
record Resend(
    ResendOutcome outcome,
    byte[] key,
    List<Batch> batches,
    int readings,
    int leftReadings,
    long batchId) {

  /** A batch for a partition of the readings. */
  record Batch(int partition, byte[] value) {}

  static Resend none(ResendOutcome why) {
    return new Resend(why, new byte[0], List.of(), 0, 0, 0);
  }
}

package io.weir.redrive;

import java.util.List;

/**
 * What a record is sent again as, or why not.
 *
 * @param outcome {@link ResendOutcome#SENT} where there is something to send
 * @param key of the records: the gateway's id
 * @param batches the batches, each of one partition
 * @param readings in these batches
 * @param leftReadings those of the record that would be refused again
 * @param batchId names the batch, or the part of one, among all records; 0 where nobody knows
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

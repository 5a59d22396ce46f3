package io.weir.reading;

/**
 * Limits of records, batches and ids.
 *
 * @param maxRecordBytes largest value of a record, in bytes
 * @param maxBatchReadings most readings of one batch
 * @param maxIdBytes longest sensor or gateway id, in UTF-8 bytes
 */
public record Limits(int maxRecordBytes, int maxBatchReadings, int maxIdBytes) {
  public static final Limits DEFAULT = new Limits(1 << 20, 10_000, 256);
}

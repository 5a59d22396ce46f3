package io.weir.sink;

import java.util.concurrent.TimeUnit;

/**
 * How many records and bytes a transaction has at most. While a sink is behind they are more than
 * usual, as a commit costs the server as much for few rows as for many, but not where the setting
 * is a small one. What takes longer than a statement may is halved until it does not, and grows
 * again while transactions are quick. One thread.
 */
final class BatchLimit {
  /** Records of a transaction while at least as many as those of a usual one wait on the topics. */
  static final int BEHIND = 20_000;

  /** A setting below it is never exceeded. */
  static final int SMALL = 5_000;

  /** After as many bytes of records and rows it has no more; one record may be larger. */
  static final long BYTES = 8 << 20;

  private static final long QUICK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int usual;
  private final int behind;
  private int most;

  /**
   * @param batchRecords as it is set
   */
  BatchLimit(int batchRecords) {
    usual = batchRecords;
    behind = batchRecords < SMALL ? batchRecords : Math.max(batchRecords, BEHIND);
    most = behind;
  }

  /**
   * Records of the next transaction.
   *
   * @param lag records that wait on the topics
   */
  int records(long lag) {
    return Math.min(most, lag < usual ? usual : behind);
  }

  /**
   * Whether a transaction takes no more.
   *
   * @param lag records that wait on the topics
   */
  boolean isFull(int records, long bytes, long lag) {
    return records >= records(lag) || bytes >= BYTES;
  }

  /** A statement took too long with so many records. */
  void tookTooLong(int records) {
    most = Math.max(1, Math.min(most, records) / 2);
  }

  /** So many records were written in that time. */
  void written(int records, long nanos) {
    if (records >= most / 2 && nanos < QUICK_NANOS) {
      most = Math.min(behind, 2 * most);
    }
  }
}

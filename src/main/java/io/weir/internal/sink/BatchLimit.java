package io.weir.internal.sink;

import java.util.concurrent.TimeUnit;

/**
 * The maximum records and bytes of a transaction. They grow while a sink is behind, because a
 * commit costs the server as much for few rows as for many, unless the setting is small. After a
 * statement timeout the limit is halved, and it grows again while transactions are fast. One
 * thread.
 */
final class BatchLimit {
  /** Records of a transaction while the lag is at least a usual transaction. */
  static final int BEHIND = 20_000;

  /** A setting below this value is never exceeded. */
  static final int SMALL = 5_000;

  /** Maximum bytes of records and rows; a single record may be larger. */
  static final long BYTES = 8 << 20;

  private static final long QUICK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int usual;
  private final int behind;
  private int most;

  /**
   * @param batchRecords the setting
   */
  BatchLimit(int batchRecords) {
    usual = batchRecords;
    behind = batchRecords < SMALL ? batchRecords : Math.max(batchRecords, BEHIND);
    most = behind;
  }

  /**
   * Records of the next transaction.
   *
   * @param lag unread records of the topics
   */
  int records(long lag) {
    return Math.min(most, lag < usual ? usual : behind);
  }

  /**
   * Whether a transaction is full.
   *
   * @param lag unread records of the topics
   */
  boolean isFull(int records, long bytes, long lag) {
    return records >= records(lag) || bytes >= BYTES;
  }

  /** A statement timed out with this number of records. */
  void tookTooLong(int records) {
    most = Math.max(1, Math.min(most, records) / 2);
  }

  /** This number of records was written in this time. */
  void written(int records, long nanos) {
    if (records >= most / 2 && nanos < QUICK_NANOS) {
      most = Math.min(behind, 2 * most);
    }
  }
}

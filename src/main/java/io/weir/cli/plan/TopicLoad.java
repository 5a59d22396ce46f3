package io.weir.cli.plan;

/**
 * A topic, with bytes for one replica.
 *
 * @param key prefix of its keys in JSON
 * @param bytesPerSecond written bytes per second
 * @param retentionMs retention in milliseconds
 * @param read number of consumers
 */
record TopicLoad(String name, String key, double bytesPerSecond, double retentionMs, double read) {
  /** The default retention in bytes of a partition of these topics. */
  static final double PARTITION_BYTES = 8_388_608_000.0;

  double atRest() {
    return Math.min(bytesPerSecond * retentionMs / 1000, Plan.PARTITIONS * PARTITION_BYTES);
  }

  double hours() {
    return bytesPerSecond == 0 ? retentionMs / 3_600_000 : atRest() / bytesPerSecond / 3600;
  }
}

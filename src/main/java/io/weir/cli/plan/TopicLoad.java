package io.weir.cli.plan;

/**
 * A topic, in bytes of one replica.
 *
 * @param key its name in JSON, without what is measured of it
 * @param bytesPerSecond as it is written
 * @param retentionMs of time
 * @param read how often it is read
 */
record TopicLoad(String name, String key, double bytesPerSecond, double retentionMs, double read) {
  /** The bound in bytes of a partition that all of these topics have by default. */
  static final double PARTITION_BYTES = 8_388_608_000.0;

  double atRest() {
    return Math.min(bytesPerSecond * retentionMs / 1000, Plan.PARTITIONS * PARTITION_BYTES);
  }

  double hours() {
    return bytesPerSecond == 0 ? retentionMs / 3_600_000 : atRest() / bytesPerSecond / 3600;
  }
}

package io.weir.cli.plan;

/**
 * The gateways: they determine the size of batches, on which the bytes of a reading on its topic
 * depend.
 *
 * @param gateways number of gateways, with equal shares of the readings; 0 for one per 20,000
 *     readings a second
 * @param flushMs weir.flush.interval
 */
public record Publishing(double gateways, double flushMs) {
  /** The fleet of docs/results/2026-11-25-sizing.md. */
  public static final Publishing DEFAULT = new Publishing(0, 20);

  private static final double RATE_OF_ONE = 20_000;
  private static final double MOST_IN_A_BATCH = 1_000;

  double gatewaysFor(double rate) {
    return gateways > 0 ? gateways : Math.max(1, Math.ceil(rate / RATE_OF_ONE));
  }

  /** The first reading, and those for the same partition until the batch is sent. */
  double readingsInBatch(double rate) {
    double more = rate / gatewaysFor(rate) / Plan.PARTITIONS * flushMs / 1000;
    return Math.min(MOST_IN_A_BATCH, 1 + more);
  }
}

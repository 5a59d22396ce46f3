package io.weir.cli.plan;

/**
 * How gateways send: what a reading takes on its topic depends on how many are in its batch.
 *
 * @param gateways that share the readings evenly; 0 for as many as give 20,000 a second each
 * @param flushMs weir.flush.interval
 */
public record Publishing(double gateways, double flushMs) {
  /** As the fleet of docs/results/2026-11-25-sizing.md sends. */
  public static final Publishing DEFAULT = new Publishing(0, 20);

  private static final double RATE_OF_ONE = 20_000;
  private static final double MOST_IN_A_BATCH = 1_000;

  double gatewaysFor(double rate) {
    return gateways > 0 ? gateways : Math.max(1, Math.ceil(rate / RATE_OF_ONE));
  }

  /** The first one, and those that come to the same partition until it is sent. */
  double readingsInBatch(double rate) {
    double more = rate / gatewaysFor(rate) / Plan.PARTITIONS * flushMs / 1000;
    return Math.min(MOST_IN_A_BATCH, 1 + more);
  }
}

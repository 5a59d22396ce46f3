package io.weir.reading;

/**
 * Limits and retention of gateways.
 *
 * @param ttlMs log time after a gateway's last applied batch for which its individual sequences are
 *     kept; its mark, the highest boot and sequence, is kept longer
 * @param markTtlMs minimum further retention of a mark if a new gateway needs its place
 * @param maxGateways maximum number of gateways per partition, including marks
 * @param maxFutureBootMs how far the clock time in a boot id may be ahead of the append time
 */
public record GatewayRules(long ttlMs, long markTtlMs, int maxGateways, long maxFutureBootMs) {
  /** 7 days. */
  public static final long TTL_MS = 7L * 24 * 60 * 60 * 1000;

  /** 30 days. */
  public static final long MARK_TTL_MS = 30L * 24 * 60 * 60 * 1000;

  /** Far more than a plant has; each gateway counts in each partition that it sends to. */
  public static final int MAX_GATEWAYS = 4096;

  /** Rules with the default durations and limits. */
  public static GatewayRules of(long maxFutureBootMs) {
    return new GatewayRules(TTL_MS, MARK_TTL_MS, MAX_GATEWAYS, maxFutureBootMs);
  }
}

package io.weir.reading;

/**
 * What is accepted of gateways, and how long they are remembered.
 *
 * @param ttlMs log time after a gateway's last applied batch for which its sequences are kept one
 *     by one; its mark, the highest boot and sequence, is kept on
 * @param markTtlMs how much longer a mark keeps its place where a new gateway needs it
 * @param maxGateways how many gateways a partition remembers at the most, marks included
 * @param maxFutureBootMs how far the clock time in a boot id may be ahead of the append time
 */
public record GatewayRules(long ttlMs, long markTtlMs, int maxGateways, long maxFutureBootMs) {
  /** 7 days. */
  public static final long TTL_MS = 7L * 24 * 60 * 60 * 1000;

  /** 30 days. */
  public static final long MARK_TTL_MS = 30L * 24 * 60 * 60 * 1000;

  /** Many times what a plant has: each gateway is remembered in each partition that it sends to. */
  public static final int MAX_GATEWAYS = 4096;

  /** With the usual lengths. */
  public static GatewayRules of(long maxFutureBootMs) {
    return new GatewayRules(TTL_MS, MARK_TTL_MS, MAX_GATEWAYS, maxFutureBootMs);
  }
}

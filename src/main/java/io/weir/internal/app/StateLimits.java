package io.weir.internal.app;

import io.weir.internal.window.WindowLimits;
import io.weir.reading.GatewayRules;
import java.time.Duration;

/**
 * Limits of the state of a partition.
 *
 * @param windows limits of sensors, and of windows that one batch opens
 * @param maxGateways maximum number of gateways, including marks of expired ones
 * @param gatewayTtl inactivity after which only the mark of a gateway is retained
 * @param markTtl how long the mark of an expired gateway or sensor is retained
 */
public record StateLimits(
    WindowLimits windows, int maxGateways, Duration gatewayTtl, Duration markTtl) {
  /**
   * The limits of gateways.
   *
   * @param maxFutureSkewMs how far a gateway's clock may be ahead
   */
  public GatewayRules gateways(long maxFutureSkewMs) {
    return new GatewayRules(
        gatewayTtl.toMillis(), markTtl.toMillis(), maxGateways, maxFutureSkewMs);
  }
}

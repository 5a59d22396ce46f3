package io.weir.app;

import io.weir.reading.GatewayRules;
import io.weir.window.WindowLimits;
import java.time.Duration;

/**
 * How much a partition keeps at the most, and for how long.
 *
 * @param windows of sensors, and of windows that one batch opens
 * @param maxGateways gateways, marks of forgotten ones included
 * @param gatewayTtl silence after which a gateway leaves only a mark
 * @param markTtl how much longer the mark of a gateway or sensor is kept
 */
public record StateLimits(
    WindowLimits windows, int maxGateways, Duration gatewayTtl, Duration markTtl) {
  /**
   * What is accepted of gateways.
   *
   * @param maxFutureSkewMs how far a gateway's clock may be ahead
   */
  public GatewayRules gateways(long maxFutureSkewMs) {
    return new GatewayRules(
        gatewayTtl.toMillis(), markTtl.toMillis(), maxGateways, maxFutureSkewMs);
  }
}

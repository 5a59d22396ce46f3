package io.weir.app;

import io.weir.reading.GatewayRules;
import java.time.Duration;

/**
 * How much a partition keeps at the most, and for how long.
 *
 * @param maxSensors sensors, marks of forgotten ones included
 * @param maxGateways gateways, marks of forgotten ones included
 * @param gatewayTtl silence after which a gateway leaves only a mark
 * @param markTtl how much longer the mark of a gateway or sensor is kept
 */
public record StateLimits(int maxSensors, int maxGateways, Duration gatewayTtl, Duration markTtl) {
  /**
   * What is believed of gateways.
   *
   * @param maxFutureSkewMs how far a gateway's clock may be ahead
   */
  public GatewayRules gateways(long maxFutureSkewMs) {
    return new GatewayRules(
        gatewayTtl.toMillis(), markTtl.toMillis(), maxGateways, maxFutureSkewMs);
  }
}

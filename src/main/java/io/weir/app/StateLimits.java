package io.weir.app;

import io.weir.reading.GatewayRules;

/**
 * How much a partition keeps at the most.
 *
 * @param maxSensors sensors, marks of forgotten ones included
 * @param maxGateways gateways, marks of forgotten ones included
 */
public record StateLimits(int maxSensors, int maxGateways) {
  /**
   * What is believed of gateways.
   *
   * @param maxFutureSkewMs how far a gateway's clock may be ahead
   */
  public GatewayRules gateways(long maxFutureSkewMs) {
    return new GatewayRules(GatewayRules.TTL_MS, maxGateways, maxFutureSkewMs);
  }
}

package io.weir.lab.chaos;

import io.weir.lab.oracle.NaiveRules;
import java.time.Duration;
import java.util.Set;

/**
 * How long the applications of a run remember sensors and gateways, and how many: the defaults, but
 * for kinds of faults that are to go beyond.
 */
record MemorySettings(
    Duration sensorTtl,
    Duration gatewayTtl,
    Duration markTtl,
    int maxSensors,
    int maxSensorsPerGateway,
    int maxBatchWindows,
    int maxGateways) {
  private static final MemorySettings LONG =
      new MemorySettings(
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(30),
          32_768,
          16_384,
          10_000,
          4_096);

  static MemorySettings of(Set<FaultKind> kinds) {
    boolean shortly = kinds.contains(FaultKind.FORGET);
    boolean few = kinds.contains(FaultKind.HOSTILE);
    return new MemorySettings(
        shortly ? Duration.ofSeconds(8) : LONG.sensorTtl,
        shortly ? Duration.ofSeconds(10) : LONG.gatewayTtl,
        shortly ? Duration.ofSeconds(20) : LONG.markTtl,
        few ? 2_000 : LONG.maxSensors,
        few ? 1_200 : LONG.maxSensorsPerGateway,
        few ? 1_500 : LONG.maxBatchWindows,
        few ? 100 : LONG.maxGateways);
  }

  NaiveRules rules() {
    return new NaiveRules(
        ChaosSettings.MAX_FUTURE_SKEW.toMillis(),
        gatewayTtl.toMillis(),
        markTtl.toMillis(),
        maxGateways,
        maxSensors,
        maxSensorsPerGateway,
        maxBatchWindows);
  }
}

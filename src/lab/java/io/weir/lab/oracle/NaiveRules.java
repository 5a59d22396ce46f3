package io.weir.lab.oracle;

/**
 * What is accepted, and how much is remembered. Milliseconds, durations in log time.
 *
 * @param maxFutureSkewMs how far ahead of its append time a reading or a boot may be
 * @param gatewayTtlMs silence after which a gateway becomes a mark
 * @param gatewayMarkTtlMs how much longer a mark keeps its place where a new gateway needs it
 * @param maxGateways gateways of a partition, marks included
 * @param maxSensors sensors of a partition, marks included
 * @param maxSensorsPerGateway of these, those that one gateway was the first to send; all gateways
 *     without boot ids are one
 * @param maxBatchWindows windows that a batch opens
 * @param signed whether batches of events must be signed by their gateway
 */
public record NaiveRules(
    long maxFutureSkewMs,
    long gatewayTtlMs,
    long gatewayMarkTtlMs,
    int maxGateways,
    int maxSensors,
    int maxSensorsPerGateway,
    int maxBatchWindows,
    boolean signed) {
  private static final long DAY_MS = 86_400_000;

  /** Without signatures. */
  public NaiveRules(
      long maxFutureSkewMs,
      long gatewayTtlMs,
      long gatewayMarkTtlMs,
      int maxGateways,
      int maxSensors,
      int maxSensorsPerGateway,
      int maxBatchWindows) {
    this(
        maxFutureSkewMs,
        gatewayTtlMs,
        gatewayMarkTtlMs,
        maxGateways,
        maxSensors,
        maxSensorsPerGateway,
        maxBatchWindows,
        false);
  }

  /** With the design's numbers for everything else. */
  public static NaiveRules of(long maxFutureSkewMs) {
    return new NaiveRules(maxFutureSkewMs, 7 * DAY_MS, 30 * DAY_MS, 4_096, 32_768, 16_384, 10_000);
  }

  /** The same with signatures or without. */
  public NaiveRules withSignatures(boolean required) {
    return new NaiveRules(
        maxFutureSkewMs,
        gatewayTtlMs,
        gatewayMarkTtlMs,
        maxGateways,
        maxSensors,
        maxSensorsPerGateway,
        maxBatchWindows,
        required);
  }
}

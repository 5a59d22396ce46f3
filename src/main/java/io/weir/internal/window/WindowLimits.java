package io.weir.internal.window;

/**
 * Limits of a partition and of one batch.
 *
 * @param maxSensors sensors of a partition, including marks of expired ones
 * @param maxSensorsPerGateway sensors of a partition whose first reading was sent by one gateway;
 *     all batches without a boot id count as one gateway
 * @param maxBatchWindows windows that one batch may open
 */
public record WindowLimits(int maxSensors, int maxSensorsPerGateway, int maxBatchWindows) {
  /**
   * Twice a million sensors in all partitions; one gateway may send a million. A batch of 10,000
   * readings may open 10,000 windows.
   */
  public static final WindowLimits DEFAULT = new WindowLimits(32_768, 16_384, 10_000);

  /** With this limit of sensors, also per gateway. */
  public static WindowLimits ofSensors(int maxSensors) {
    return new WindowLimits(maxSensors, maxSensors, DEFAULT.maxBatchWindows());
  }
}

package io.weir.window;

/**
 * How much a partition keeps, and one batch may open, at the most.
 *
 * @param maxSensors sensors of a partition, marks of forgotten ones included
 * @param maxSensorsPerGateway of these, those whose first reading one gateway sent; all batches
 *     without a boot id count as one gateway's, since nothing distinguishes their gateways
 * @param maxBatchWindows windows that one batch may open
 */
public record WindowLimits(int maxSensors, int maxSensorsPerGateway, int maxBatchWindows) {
  /**
   * Room for a million sensors in all partitions together, twice; one gateway alone may send all of
   * the million. A batch of 10,000 readings opens as many windows at the most.
   */
  public static final WindowLimits DEFAULT = new WindowLimits(32_768, 16_384, 10_000);

  /** With so many sensors, all of which one gateway may send. */
  public static WindowLimits ofSensors(int maxSensors) {
    return new WindowLimits(maxSensors, maxSensors, DEFAULT.maxBatchWindows());
  }
}

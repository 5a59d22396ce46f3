package io.weir.internal.group;

import io.weir.internal.window.aggregate.ExactAccumulator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * The aggregate of the parts of a window's sensors, independent of their order. The sum is exact
 * and rounded once. If sums of sensors are infinite it is infinite too, positive if one of them is,
 * and never NaN. For equal min or max it has the sensor id that is first in the order of UTF-8
 * bytes.
 *
 * @param sensors number of sensors with a part
 * @param count readings that are not bad; if it is 0, sum, min and max are 0 and both ids empty
 */
public record GroupTotal(
    long sensors,
    long count,
    long badCount,
    double sum,
    double min,
    double max,
    String minSensorId,
    String maxSensorId) {

  /** Aggregates parts by sensor id; costs a pass over them. */
  static GroupTotal of(Map<String, SensorPart> parts) {
    Merge merge = new Merge();
    parts.forEach(merge::add);
    return new GroupTotal(
        parts.size(),
        merge.count,
        merge.badCount,
        merge.sum(),
        merge.min,
        merge.max,
        merge.minSensorId,
        merge.maxSensorId);
  }

  private static final class Merge {
    private final ExactAccumulator finite = new ExactAccumulator();
    private double infinite;
    private long count;
    private long badCount;
    private double min;
    private double max;
    private String minSensorId = "";
    private String maxSensorId = "";

    void add(String sensorId, SensorPart part) {
      badCount = saturated(badCount, part.badCount());
      if (part.count() == 0) {
        return;
      }
      boolean isFirst = count == 0;
      count = saturated(count, part.count());
      addSum(part);
      if (isFirst || isBefore(part.min(), sensorId, min, minSensorId)) {
        min = part.min();
        minSensorId = sensorId;
      }
      if (isFirst || isBefore(-part.max(), sensorId, -max, maxSensorId)) {
        max = part.max();
        maxSensorId = sensorId;
      }
    }

    /**
     * Saturates: only an invalid producer has counts of this size, and it must not stop processing.
     */
    private static long saturated(long a, long b) {
      long sum = a + b;
      return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private void addSum(SensorPart part) {
      if (Double.isInfinite(part.sum())) {
        infinite = infinite == 0 ? part.sum() : Math.max(infinite, part.sum());
        return;
      }
      finite.add(part.sum());
      for (int i = 0; i < part.restSize(); i++) {
        finite.add(part.rest(i));
      }
    }

    private static boolean isBefore(double value, String id, double best, String bestId) {
      return value < best || (value == best && isBefore(id, bestId));
    }

    private static boolean isBefore(String id, String other) {
      return Arrays.compareUnsigned(
              id.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8))
          < 0;
    }

    double sum() {
      return infinite == 0 ? finite.toDouble() : infinite;
    }
  }
}

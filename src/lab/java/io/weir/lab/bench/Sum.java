package io.weir.lab.bench;

import java.nio.ByteBuffer;

/** What a baseline keeps of a sensor: count, sum, min and max, the sum not compensated. */
final class Sum {
  static final int BYTES = 4 * Long.BYTES;

  private long count;
  private double sum;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  Sum add(double value) {
    count++;
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
    return this;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(count)
        .putDouble(sum)
        .putDouble(min)
        .putDouble(max)
        .array();
  }

  static Sum ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Sum sum = new Sum();
    sum.count = buffer.getLong();
    sum.sum = buffer.getDouble();
    sum.min = buffer.getDouble();
    sum.max = buffer.getDouble();
    return sum;
  }
}

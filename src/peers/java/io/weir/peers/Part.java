package io.weir.peers;

/** Readings of one sensor and window: one, or what a batch has. */
public final class Part {
  public String sensorId;

  /** Of the newest of them. */
  public long timestampMs;

  public long count;
  public double sum;
  public double min;
  public double max;

  public Part() {}

  /** Of one reading. */
  Part(String sensorId, long timestampMs, double value) {
    this.sensorId = sensorId;
    this.timestampMs = timestampMs;
    this.count = 1;
    this.sum = value;
    this.min = value;
    this.max = value;
  }

  boolean isOfWindow(long ms) {
    return Math.floorDiv(timestampMs, FlinkJob.WINDOW_MS) == Math.floorDiv(ms, FlinkJob.WINDOW_MS);
  }

  void add(long ms, double value) {
    timestampMs = Math.max(timestampMs, ms);
    count++;
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
}

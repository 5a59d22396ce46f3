package io.weir.peers;

/** A closed window of a sensor. */
public final class SensorWindow {
  public String sensorId;
  public long startMs;
  public long count;
  public double sum;
  public double min;
  public double max;

  public SensorWindow() {}

  SensorWindow(String sensorId, long startMs, long count, double sum, double min, double max) {
    this.sensorId = sensorId;
    this.startMs = startMs;
    this.count = count;
    this.sum = sum;
    this.min = min;
    this.max = max;
  }
}

package io.weir.lab.bench;

/** How the readings of a load are spread over sensors, batches and event time. */
public enum LoadShape {
  /**
   * Few sensors at a high rate, 100 readings a second each: several of a sensor are in a batch. One
   * reading in a thousand closes a window.
   */
  DENSE(10_000, 6, 10),
  /** The same sensors at 10 readings a second: one reading in a hundred closes a window. */
  CALM(10_000, 6, 100),
  /** A million sensors, each sending once a second: a batch holds one reading of a sensor. */
  WIDE(1_000_000, 1, 1_000),
  /** A million sensors with as many readings of a sensor in a batch as {@link #DENSE} has. */
  MANY(1_000_000, 6, 10),
  /** One sensor, of which a batch is full: all that a single partition's task takes. */
  HOT(1, 1000, 1),
  /**
   * Sensors that send once a second while {@link #keptWindows} closed windows of each are kept for
   * amendment.
   */
  KEPT(100_000, 6, 1_000) {
    @Override
    int keptWindows() {
      return 60;
    }

    /** 63 windows of ten seconds for each sensor: from then on as many are evicted as opened. */
    @Override
    int warmUpPercent() {
      return 65;
    }
  };

  /** About the most readings in a batch; the publisher's own is 1000. */
  private static final int BATCH_READINGS = 1000;

  private final int sensors;
  private final int readingsPerSensorAndBatch;
  private final long intervalMs;

  LoadShape(int sensors, int readingsPerSensorAndBatch, long intervalMs) {
    this.sensors = sensors;
    this.readingsPerSensorAndBatch = readingsPerSensorAndBatch;
    this.intervalMs = intervalMs;
  }

  public int sensors() {
    return sensors;
  }

  public int readingsPerSensorAndBatch() {
    return readingsPerSensorAndBatch;
  }

  /** Event time between two readings of a sensor. */
  public long intervalMs() {
    return intervalMs;
  }

  /** Closed windows that Weir keeps of every sensor. */
  int keptWindows() {
    return 0;
  }

  /** Share of the readings, the first ones, that is not measured. */
  int warmUpPercent() {
    return BenchScale.WARM_UP_PERCENT;
  }

  int sensorsPerBatch() {
    return BATCH_READINGS / readingsPerSensorAndBatch;
  }
}

package io.weir.lab.bench;

/**
 * When a subject closes windows: as soon as some time has passed their end by a delay.
 *
 * @param delayMs grace, or bounded out-of-orderness
 */
record Closing(Time time, long delayMs) {
  /** Whose time it is: that of the newest reading. */
  enum Time {
    /** The sensor's own. */
    SENSOR,
    /** The partition's. */
    PARTITION,
    /** That of the partition that is furthest behind. */
    TOPIC
  }

  /** Whether a window must have been closed once all readings of a pass were taken. */
  boolean isDue(PlainPass.Window window, PlainPass.Sensor sensor, PlainPass pass) {
    long newestMs =
        switch (time) {
          case SENSOR -> sensor.newestMs;
          case PARTITION -> pass.newestMs(sensor.partition);
          case TOPIC -> pass.newestOfAllMs();
        };
    return window.startMs + PlainPass.WINDOW_MS <= newestMs - delayMs;
  }
}

package io.weir.internal.alarm;

/** The state of a sensor, with its number in {@code weir.v1.SensorStatus} and in the state. */
public enum SensorState {
  /** No status was sent yet. */
  UNKNOWN(0),
  /** New, or sends again after it expired. */
  STARTED(1),
  /** Sent nothing for weir.silent.after. */
  SILENT(2),
  /** Sends again after silence. */
  RESUMED(3),
  /** Expired after weir.sensor.ttl. */
  FINISHED(4);

  private final int number;

  SensorState(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /**
   * Returns the state with a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SensorState ofNumber(int number) {
    for (SensorState state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    throw new IllegalArgumentException("unknown sensor state: " + number);
  }

  boolean speaks() {
    return this == STARTED || this == RESUMED;
  }
}

package io.weir.alarm;

/** The state of a sensor, with its number in {@code weir.v1.SensorStatus} and in the state. */
public enum SensorState {
  /** No status was sent yet. */
  UNKNOWN(0),
  /** New, or sends again after it was forgotten. */
  STARTED(1),
  /** Nothing came of it for weir.silent.after. */
  SILENT(2),
  /** Sends again after silence. */
  RESUMED(3),
  /** Forgotten after weir.sensor.ttl. */
  FINISHED(4);

  private final int number;

  SensorState(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /**
   * The state of a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SensorState ofNumber(int number) {
    for (SensorState state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    throw new IllegalArgumentException("no state of a sensor: " + number);
  }

  boolean speaks() {
    return this == STARTED || this == RESUMED;
  }
}

package io.weir.alarm;

/** What an alarm watches: one of four limits, the sensor's own past, or its silence. */
public enum Level {
  LOW_LOW(1, "low-low"),
  LOW(2, "low"),
  HIGH(3, "high"),
  HIGH_HIGH(4, "high-high"),
  DEVIATION(5, "deviation"),
  SILENT(6, "silent-after");

  private final int number;
  private final String text;

  Level(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /** As in a file of rules and in events. */
  public String text() {
    return text;
  }

  /** Its number in the state. */
  public int number() {
    return number;
  }

  /**
   * The level of a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Level ofNumber(int number) {
    for (Level level : values()) {
      if (level.number == number) {
        return level;
      }
    }
    throw new IllegalArgumentException("no level of an alarm: " + number);
  }

  boolean isLow() {
    return this == LOW_LOW || this == LOW;
  }
}

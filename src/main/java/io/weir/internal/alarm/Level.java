package io.weir.internal.alarm;

/** The kind of a condition: one of four limits, a deviation from the sensor's past, or silence. */
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

  /** The text form in rules files and events. */
  public String text() {
    return text;
  }

  /** The number in the state. */
  public int number() {
    return number;
  }

  /**
   * Returns the level with a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Level ofNumber(int number) {
    for (Level level : values()) {
      if (level.number == number) {
        return level;
      }
    }
    throw new IllegalArgumentException("unknown alarm level: " + number);
  }

  boolean isLow() {
    return this == LOW_LOW || this == LOW;
  }
}

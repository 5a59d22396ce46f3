package io.weir.reading;

/** The quality of a reading, as the sensor reports it. */
public enum Quality {
  GOOD(1),
  /** Aggregated like a good one. */
  UNCERTAIN(2),
  /** Counted in bad_count: not in count, sum, min or max. */
  BAD(3);

  private final int number;

  Quality(int number) {
    this.number = number;
  }

  /** Its number in {@code weir.v1.Quality}. */
  public int number() {
    return number;
  }

  /** The quality of a number on the wire: 0 is good, an unknown number is uncertain. */
  public static Quality ofNumber(int number) {
    return switch (number) {
      case 0, 1 -> GOOD;
      case 3 -> BAD;
      default -> UNCERTAIN;
    };
  }
}

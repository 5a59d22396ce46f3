package io.weir.store;

/** The state that was kept cannot be gone on with: a person decides. */
public final class StateMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param message what does not fit, and what can be done
   */
  public StateMismatchException(String message) {
    super(message);
  }

  static StateMismatchException ofFormat(int format, int known) {
    return new StateMismatchException(
        "the state is of format " + format + ", this version knows " + known);
  }
}

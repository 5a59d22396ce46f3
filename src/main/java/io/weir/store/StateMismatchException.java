package io.weir.store;

/** The state that was kept cannot be gone on with: a person decides. */
public final class StateMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StateMismatchException(String message) {
    super(message);
  }
}

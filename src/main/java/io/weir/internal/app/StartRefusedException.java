package io.weir.internal.app;

/** The application cannot start; the message has the cause and the remedy. */
public class StartRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartRefusedException(String message) {
    super(message);
  }
}

package io.weir.app;

/** The application must not start as things are; the message says what was found and what to do. */
public class StartRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StartRefusedException(String message) {
    super(message);
  }
}

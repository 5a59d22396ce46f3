package io.weir.internal.input.http;

/** A request gets an error for an answer; the message is for its sender. */
public final class RefusedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /** The request is wrong, and must not be sent again. */
  public RefusedRequestException(String message) {
    this(400, message);
  }

  public RefusedRequestException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  public int status() {
    return status;
  }
}

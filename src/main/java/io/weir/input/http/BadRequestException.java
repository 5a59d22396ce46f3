package io.weir.input.http;

/** A request is wrong; the message is for its sender, who must not send it again. */
public final class BadRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadRequestException(String message) {
    super(message, null, false, false);
  }
}

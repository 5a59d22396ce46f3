package io.weir.alarm;

/** A file of rules that cannot be used; the message is one line for the person who wrote it. */
public final class RulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RulesException(String message) {
    super(message);
  }
}

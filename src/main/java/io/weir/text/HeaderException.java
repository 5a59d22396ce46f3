package io.weir.text;

/**
 * A file does not begin as a file of readings does: wrong usage, not a fault of the file system.
 */
public final class HeaderException extends TextInputException {
  private static final long serialVersionUID = 1L;

  HeaderException(String message) {
    super(message, null);
  }
}

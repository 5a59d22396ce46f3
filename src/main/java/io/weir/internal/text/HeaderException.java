package io.weir.internal.text;

/**
 * A file does not begin as a file of readings does: wrong usage, not a fault of the file system.
 */
public final class HeaderException extends TextInputException {
  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * @param file as it was named
   */
  HeaderException(String file, String message) {
    super(message, null);
    this.file = file;
  }

  /** The file as it was named. */
  public String file() {
    return file;
  }
}

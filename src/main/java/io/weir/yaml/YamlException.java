package io.weir.yaml;

/**
 * A file that cannot be used; the message is one line for the person who wrote it, whatever is in
 * the file.
 */
public final class YamlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public YamlException(String message) {
    super(message.replaceAll("[\\p{Cntrl}\\x80-\\x9f\\u2028\\u2029]+", " "));
  }
}

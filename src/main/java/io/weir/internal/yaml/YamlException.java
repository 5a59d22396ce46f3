package io.weir.internal.yaml;

/** A file is invalid; the message is one line for its author, with any content of the file. */
public final class YamlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public YamlException(String message) {
    super(message.replaceAll("[\\p{Cntrl}\\x80-\\x9f\\u2028\\u2029]+", " "));
  }
}

package io.weir.internal.text;

import java.io.IOException;

/** A file of readings cannot be read on. The message is one line and names file and line. */
public class TextInputException extends IOException {
  private static final long serialVersionUID = 1L;

  TextInputException(String message, IOException cause) {
    super(message, cause);
  }
}

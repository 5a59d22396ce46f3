package io.weir.internal.imports;

import io.weir.internal.app.StartRefusedException;

/** An import cannot go on until a person has decided. The message is one line. */
public final class ImportRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1L;

  ImportRefusedException(String message) {
    super(message);
  }
}

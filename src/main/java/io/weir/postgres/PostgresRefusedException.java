package io.weir.postgres;

import io.weir.app.StartRefusedException;

/** The database cannot be used as it is; the message says what was found and what to do. */
public final class PostgresRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  public PostgresRefusedException(String message) {
    super(message);
  }
}

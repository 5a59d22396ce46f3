package io.weir.internal.postgres;

import io.weir.internal.app.StartRefusedException;

/** The database is not usable; the message has the cause and the remedy. */
public final class PostgresRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  public PostgresRefusedException(String message) {
    super(message);
  }
}

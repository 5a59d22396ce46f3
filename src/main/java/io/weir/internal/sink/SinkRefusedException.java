package io.weir.internal.sink;

import io.weir.internal.app.StartRefusedException;

/** The sink cannot continue; the message has the cause and the remedy. */
public final class SinkRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  SinkRefusedException(String message) {
    super(message);
  }
}

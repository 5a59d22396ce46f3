package io.weir.sink;

import io.weir.app.StartRefusedException;

/** The sink cannot go on as things are; the message says what was found and what to do. */
public final class SinkRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  SinkRefusedException(String message) {
    super(message);
  }
}

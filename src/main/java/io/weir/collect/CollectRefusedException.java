package io.weir.collect;

import io.weir.app.StartRefusedException;

/** The collector cannot go on as things are; the message says what was found and what to do. */
public final class CollectRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  CollectRefusedException(String message) {
    super(message);
  }
}

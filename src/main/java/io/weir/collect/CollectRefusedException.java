package io.weir.collect;

import io.weir.app.StartRefusedException;

/** The collector cannot continue; the message has the cause and the remedy. */
public final class CollectRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  CollectRefusedException(String message) {
    super(message);
  }
}

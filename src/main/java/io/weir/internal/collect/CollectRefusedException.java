package io.weir.internal.collect;

import io.weir.internal.app.StartRefusedException;

/** The collector cannot continue; the message has the cause and the remedy. */
public final class CollectRefusedException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  CollectRefusedException(String message) {
    super(message);
  }
}

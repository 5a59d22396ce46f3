package io.weir.internal.event;

import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.v1.EventBatch;

/** Batches as the engine takes them. */
public final class Decoded {
  private final EventDecoder decoder = new EventDecoder(Limits.DEFAULT);

  public EventColumns of(EventBatch batch) {
    try {
      return decoder.decode(batch.toByteArray());
    } catch (UndecodableException e) {
      throw new AssertionError(e);
    }
  }
}

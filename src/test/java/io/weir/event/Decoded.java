package io.weir.event;

import io.weir.reading.Limits;
import io.weir.v1.EventBatch;
import io.weir.wire.EventDecoder;
import io.weir.wire.UndecodableException;

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

package io.weir.edge;

import java.io.IOException;
import java.util.List;

/**
 * Receives every batch before it is sent for the first time, so that a gateway can keep a copy on
 * disk and, after a crash, make a {@link PublisherState} of it: the boot id, the last sequence of
 * each partition, and the batches that were not acknowledged.
 *
 * <p>Called on the publisher's own thread, which sends nothing meanwhile. A journal used alone
 * receives resumed batches too. A close that runs out of time puts what was not sent into the state
 * that it hands out; a journal may not have received some of that.
 */
@FunctionalInterface
public interface BatchJournal {
  /**
   * Keeps the batches; when it returns they may be sent. They come many at a time where there is
   * much to send, so that one forced write serves them all. The sequences of a partition come in
   * order.
   *
   * @throws IOException or any other exception: nothing of it is sent, and the same batches come
   *     again later, alone or with others
   */
  void beforeFirstSend(List<SequencedBatch> batches) throws IOException;

  /** The batch was acknowledged and need not be kept. What this throws is logged. */
  default void acknowledged(SequencedBatch batch) {}

  /** Keeps nothing. */
  static BatchJournal none() {
    return NoJournal.INSTANCE;
  }
}

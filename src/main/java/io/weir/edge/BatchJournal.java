package io.weir.edge;

import java.io.IOException;
import java.util.List;

/**
 * Receives every batch before it is sent for the first time, so that a gateway can keep a copy on
 * disk and, after a crash, build a {@link PublisherState} from it: the boot id, the last sequence
 * of each partition, and the batches that were not acknowledged.
 *
 * <p>Called on the publisher's thread, which sends nothing meanwhile. A journal receives resumed
 * batches too. If a close times out, the returned state has all unsent batches; the journal may not
 * have received some of them.
 */
@FunctionalInterface
public interface BatchJournal {
  /**
   * Stores the batches; after it returns they may be sent. Under load a call has many batches, so
   * that one fsync serves all. The sequences of a partition are in order.
   *
   * @throws IOException or any other exception: none of the batches is sent; a later call has the
   *     same batches, alone or with others
   */
  void beforeFirstSend(List<SequencedBatch> batches) throws IOException;

  /** The batch was acknowledged and may be deleted. Exceptions are logged. */
  default void acknowledged(SequencedBatch batch) {}

  /** A journal that stores nothing. */
  static BatchJournal none() {
    return NoJournal.INSTANCE;
  }
}

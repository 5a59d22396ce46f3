package io.weir.edge;

import java.util.List;

/** Keeps nothing. */
enum NoJournal implements BatchJournal {
  INSTANCE;

  @Override
  public void beforeFirstSend(List<SequencedBatch> batches) {}
}

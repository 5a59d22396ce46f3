package io.weir.internal.store;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.Folds;
import io.weir.reading.GatewayRules;
import java.io.IOException;

/**
 * All that a task keeps of its partition of events: the folds of its keys ({@link FoldEntries}),
 * gateways with their sequences, and how far it has come.
 */
public final class FoldState extends LoggedState {
  private final Folds folds;
  private final SenderState senders;
  private final FoldEntries foldEntries;

  /** Log time passes between two records by the longer of quiet and max hold at the most. */
  public FoldState(FoldSpec spec, GatewayRules gatewayRules) {
    super(Math.max(spec.quietMs(), spec.maxHoldMs()));
    this.folds = new Folds(spec);
    this.senders = new SenderState(gatewayRules);
    this.foldEntries = new FoldEntries(folds);
  }

  public Folds folds() {
    return folds;
  }

  public SenderState senders() {
    return senders;
  }

  @Override
  public void deletedUnread(long records, boolean wereApplied, long appendMs) {
    senders.deletedUnread(appendMs);
  }

  @Override
  public long dueMs() {
    return appendMsOf(folds.nextDueMs());
  }

  @Override
  void flushEntries(ChangeLog log) throws IOException {
    foldEntries.flush(log);
    senders.flush(log);
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case FoldEntries.FOLD, FoldEntries.FIELDS, FoldEntries.SUBJECTS ->
          foldEntries.restore(key, value);
      default -> senders.restore(key, value);
    }
  }

  @Override
  public void resume() {
    foldEntries.resume();
  }

  @Override
  void clearEntries() {
    folds.clear();
    senders.clear();
    foldEntries.clear();
  }
}

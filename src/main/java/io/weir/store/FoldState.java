package io.weir.store;

import io.weir.event.FoldSpec;
import io.weir.event.Folds;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import java.io.IOException;

/**
 * All that a task keeps of its partition of events: the folds of its keys ({@link FoldEntries}),
 * gateways with their sequences, and how far it has come.
 */
public final class FoldState extends LoggedState {
  private final Folds folds;
  private final Gateways gateways;
  private final GatewayEntries gatewayEntries;
  private final FoldEntries foldEntries;

  /** Log time passes between two records by the longer of quiet and max hold at the most. */
  public FoldState(FoldSpec spec, GatewayRules gatewayRules) {
    super(Math.max(spec.quietMs(), spec.maxHoldMs()));
    this.folds = new Folds(spec);
    this.gateways = new Gateways(gatewayRules);
    this.gatewayEntries = new GatewayEntries(gateways);
    this.foldEntries = new FoldEntries(folds);
  }

  public Folds folds() {
    return folds;
  }

  public Gateways gateways() {
    return gateways;
  }

  @Override
  public long dueMs() {
    return appendMsOf(folds.nextDueMs());
  }

  @Override
  void flushEntries(ChangeLog log) throws IOException {
    foldEntries.flush(log);
    gatewayEntries.flushDeletions(log);
    gatewayEntries.flush(log);
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case FoldEntries.FOLD, FoldEntries.FIELDS, FoldEntries.SUBJECTS ->
          foldEntries.restore(key, value);
      case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
      default -> throw StateMismatchException.ofKind(key[0]);
    }
  }

  @Override
  public void resume() {
    foldEntries.resume();
  }

  @Override
  void clearEntries() {
    folds.clear();
    gateways.clear();
    foldEntries.clear();
  }
}

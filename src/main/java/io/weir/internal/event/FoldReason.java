package io.weir.internal.event;

/** Why a fold is emitted; numbered as in the proto. */
public enum FoldReason {
  /** The quiet period has passed. */
  QUIET(1),
  /** The maximum hold time has passed. */
  MAX_HOLD(2),
  /** The next event would have made it too large, or the partition had no room for all folds. */
  LIMIT(3);

  private final int number;

  FoldReason(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}

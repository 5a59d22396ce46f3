package io.weir.internal.event;

/**
 * The limits of folds.
 *
 * @param quietMs a fold is emitted after this log time without an event; positive
 * @param maxHoldMs a fold is emitted this log time after its first event; positive
 * @param maxFields maximum number of fields; a fold is emitted before an event that would exceed
 *     it; positive
 * @param maxBytes maximum memory of all folds, see {@link Fold#memoryBytes}. Beyond it, folds of
 *     gateways above an eighth of it are emitted, the oldest first, else the oldest of all;
 *     positive
 */
public record FoldSpec(long quietMs, long maxHoldMs, int maxFields, long maxBytes) {
  /** 5 s, 1 m, 1,000 fields, 128 MiB. */
  public static final FoldSpec DEFAULT = new FoldSpec(5_000, 60_000, 1_000, 128 << 20);

  public FoldSpec {
    if (quietMs <= 0 || maxHoldMs <= 0 || maxFields <= 0 || maxBytes <= 0) {
      throw new IllegalArgumentException("quiet, max hold and limits of folds must be positive");
    }
  }
}

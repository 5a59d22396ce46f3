package io.weir.event;

/**
 * When the events of a key become one.
 *
 * @param quietMs after so long without another event, in log time; positive
 * @param maxHoldMs so long after the first event, in log time; positive
 * @param maxFields before an event that would bring it beyond so many fields; positive
 * @param maxBytes with an event that brings the folds of all keys beyond so many bytes of memory,
 *     see {@link Fold#memoryBytes}: folds of gateways above an eighth of it are emitted then, the
 *     oldest first, else the oldest of all; positive
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

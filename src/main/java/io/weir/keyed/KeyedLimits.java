package io.weir.keyed;

/**
 * Limits of a partition; events beyond them become dead letters.
 *
 * @param keys maximum number of keys
 * @param waitingPerKey maximum number of events of a key that wait for its start
 * @param waitingBytes maximum size of all waiting events, in bytes
 * @param bytes maximum memory of all keys with their states, in bytes
 */
record KeyedLimits(int keys, int waitingPerKey, long waitingBytes, long bytes) {
  static final KeyedLimits DEFAULT = new KeyedLimits(1_000_000, 1_000, 64 << 20, 256 << 20);

  KeyedLimits withBytes(long most) {
    return new KeyedLimits(keys, waitingPerKey, waitingBytes, most);
  }
}

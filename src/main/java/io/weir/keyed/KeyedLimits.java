package io.weir.keyed;

/**
 * How much a partition holds; beyond it events are dead letters.
 *
 * @param keys most keys
 * @param waitingPerKey most events of a key that wait for its start
 * @param waitingBytes most bytes of all events that wait
 */
record KeyedLimits(int keys, int waitingPerKey, long waitingBytes) {
  static final KeyedLimits DEFAULT = new KeyedLimits(1_000_000, 1_000, 64 << 20);
}

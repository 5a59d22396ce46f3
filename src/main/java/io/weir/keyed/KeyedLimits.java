package io.weir.keyed;

import io.weir.internal.app.EventOptions;

/**
 * Limits of a partition; events beyond them become dead letters. Above half of a limit, gateways
 * that use an eighth of it are refused.
 *
 * @param keys maximum number of keys
 * @param waitingPerKey maximum number of events of a key that wait for its start
 * @param waitingBytes maximum size of all waiting events, in bytes
 * @param bytes maximum memory of all keys with their states, in bytes
 */
record KeyedLimits(int keys, int waitingPerKey, long waitingBytes, long bytes) {
  static final KeyedLimits DEFAULT = new KeyedLimits(1_000_000, 1_000, 64 << 20, 256 << 20);

  static KeyedLimits of(EventOptions options) {
    return new KeyedLimits(
        options.handlersMaxKeys(),
        DEFAULT.waitingPerKey,
        options.handlersMaxWaitingBytes(),
        options.handlersMaxBytes());
  }
}

package io.weir.internal.store;

import io.weir.internal.event.LiveKey;
import io.weir.internal.event.TimerLimits;
import io.weir.reading.GatewayRules;
import java.util.Optional;

/**
 * A key of an application with handlers, read from the changelog of its partition. One thread; it
 * holds this key alone.
 */
public final class StoredKey {
  private final byte[] name;
  private final KeyedState state =
      new KeyedState(1, TimerLimits.DEFAULT, new GatewayRules(1, GatewayRules.MARK_TTL_MS, 1, 1));

  /**
   * @param name the key in UTF-8
   */
  public StoredKey(byte[] name) {
    this.name = name.clone();
  }

  /**
   * Adds an entry, in the order of the changelog; ignores those of other keys.
   *
   * @param value null if it was deleted
   * @throws StateMismatchException if it is damaged or of another version
   */
  public void add(byte[] entry, byte[] value) {
    if (entry.length > 0 && KeyedState.isOf(entry, name)) {
      state.restore(entry, value);
    }
  }

  /** What the changelog has of the key; empty if it is not alive and nothing waits for it. */
  public Optional<LiveKey> get() {
    state.resume();
    return Optional.ofNullable(state.keys().get(name, 0, name.length));
  }
}

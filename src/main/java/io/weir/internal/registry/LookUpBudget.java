package io.weir.internal.registry;

import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import java.util.function.LongSupplier;

/**
 * Limits look-ups of unknown schemas: each blocks a partition for a call to the registry, and a
 * producer may use 2^32 ids. Look-ups of known schemas are free. For one thread.
 */
public final class LookUpBudget {
  static final int AT_ONCE = 100;
  static final long ONE_MORE_AFTER_MS = 100;

  private final LongSupplier elapsedMs;
  private long left = AT_ONCE;
  private long sinceMs;

  /**
   * @param elapsedMs a monotonic clock
   */
  public LookUpBudget(LongSupplier elapsedMs) {
    this.elapsedMs = elapsedMs;
    this.sinceMs = elapsedMs.getAsLong();
  }

  /**
   * @throws UndecodableException if the budget is empty: the schema must not be looked up
   */
  public void require(SchemaKey schema) throws UndecodableException {
    long more = (elapsedMs.getAsLong() - sinceMs) / ONE_MORE_AFTER_MS;
    sinceMs += more * ONE_MORE_AFTER_MS;
    left = Math.min(AT_ONCE, left + more);
    if (left <= 0) {
      throw UndecodableException.unknownSchema(
          schema
              + " was not looked up: this partition had too many frames with unknown schemas; the limit is "
              + 1000 / ONE_MORE_AFTER_MS
              + " a second");
    }
  }

  /** A look-up found no schema. */
  public void use() {
    left--;
  }
}

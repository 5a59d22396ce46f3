package io.weir.registry;

import io.weir.wire.SchemaKey;
import io.weir.wire.UndecodableException;
import java.util.function.LongSupplier;

/**
 * How many schemas may be looked up in vain: each such look-up holds a partition for a call to the
 * registry, and there are 2^32 ids. Those that are right cost nothing of it. For one thread.
 */
final class LookUpBudget {
  static final int AT_ONCE = 100;
  static final long ONE_MORE_AFTER_MS = 100;

  private final LongSupplier elapsedMs;
  private long left = AT_ONCE;
  private long sinceMs;

  /**
   * @param elapsedMs a monotonic clock
   */
  LookUpBudget(LongSupplier elapsedMs) {
    this.elapsedMs = elapsedMs;
    this.sinceMs = elapsedMs.getAsLong();
  }

  /**
   * @throws UndecodableException if the budget is used up: the schema is not looked up
   */
  void require(SchemaKey schema) throws UndecodableException {
    long more = (elapsedMs.getAsLong() - sinceMs) / ONE_MORE_AFTER_MS;
    sinceMs += more * ONE_MORE_AFTER_MS;
    left = Math.min(AT_ONCE, left + more);
    if (left <= 0) {
      throw UndecodableException.unknownSchema(
          schema
              + " was not looked up: this partition had too many frames with unknown schemas, and"
              + " looks up "
              + 1000 / ONE_MORE_AFTER_MS
              + " a second");
    }
  }

  /** A look-up was in vain. */
  void use() {
    left--;
  }
}

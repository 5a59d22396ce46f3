package io.weir.internal.event;

import java.util.HashMap;
import java.util.Map;

/**
 * What a partition's writers use of a budget. The second half of the budget is reserved for writers
 * that use at most one of {@value TimerLimits#SHARES} parts of it, so that one writer cannot use
 * all. Not thread-safe.
 */
final class GatewayShares {
  private final Map<Long, Long> byWriter = new HashMap<>();
  private long all;

  /** Adds to the use of a writer; negative to give back. */
  void add(long writerId, long more) {
    all += more;
    if (byWriter.merge(writerId, more, Long::sum) == 0) {
      byWriter.remove(writerId);
    }
  }

  /** Whether a writer may use more of a budget. */
  boolean hasRoom(long writerId, long more, long most) {
    long ofWriter = byWriter.getOrDefault(writerId, 0L);
    return all + more <= most
        && (all + more <= most / 2 || ofWriter + more <= most / TimerLimits.SHARES);
  }

  /** The use of all writers. */
  long all() {
    return all;
  }

  void clear() {
    byWriter.clear();
    all = 0;
  }
}

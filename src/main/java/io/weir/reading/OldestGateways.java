package io.weir.reading;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;

/**
 * Finds the gateway that was idle longest; ties are broken by id. It sorts all gateways when no
 * sorted one is unchanged any more, so a call usually checks only the first. A gateway that sends
 * gets a later time, because log time does not go back. Not thread-safe.
 */
final class OldestGateways {
  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::lastAppliedMs).thenComparing(Entry::id);

  private final Deque<Entry> ordered = new ArrayDeque<>();

  /** Log time of the sort: gateways that sent since have that time or a later one. */
  private long orderedMs;

  private long passes;

  /** A gateway and the log time of its last applied batch. */
  private record Entry(String id, long lastAppliedMs) {}

  /**
   * The gateway that was idle longest, if it sent nothing after a time; else null.
   *
   * @param logMs log time; not earlier than in the previous call
   */
  String first(Map<String, GatewaySequences> all, long notAfterMs, long logMs) {
    while (!ordered.isEmpty() && !isAsItWas(ordered.peekFirst(), all)) {
      ordered.removeFirst();
    }
    if (ordered.isEmpty()
        || (isFirstOf(notAfterMs) && ordered.peekFirst().lastAppliedMs() >= orderedMs)) {
      order(all, logMs);
    }
    return isFirstOf(notAfterMs) ? ordered.peekFirst().id() : null;
  }

  private boolean isFirstOf(long notAfterMs) {
    return !ordered.isEmpty() && ordered.peekFirst().lastAppliedMs() <= notAfterMs;
  }

  private static boolean isAsItWas(Entry entry, Map<String, GatewaySequences> all) {
    GatewaySequences now = all.get(entry.id());
    return now != null && now.lastAppliedMs() == entry.lastAppliedMs();
  }

  private void order(Map<String, GatewaySequences> all, long logMs) {
    passes++;
    ordered.clear();
    all.entrySet().stream()
        .map(gateway -> new Entry(gateway.getKey(), gateway.getValue().lastAppliedMs()))
        .sorted(ORDER)
        .forEach(ordered::add);
    orderedMs = logMs;
  }

  /** Number of sorts. */
  long passes() {
    return passes;
  }

  /** Discards the order. */
  void clear() {
    ordered.clear();
  }
}

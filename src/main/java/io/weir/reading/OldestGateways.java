package io.weir.reading;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;

/**
 * Which gateway was silent for longest, of those with the same time the first by id. All are put in
 * order when none is left that is still as it was then, so to ask costs a look at the first. One
 * that sends gets a later time than those before it: log time does not go back. Not safe for
 * several threads.
 */
final class OldestGateways {
  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::lastAppliedMs).thenComparing(Entry::id);

  private final Deque<Entry> ordered = new ArrayDeque<>();

  /** Log time when they were put in order: who has sent since has that time, or a later one. */
  private long orderedMs;

  private long passes;

  /** A gateway, and when it last sent something that was applied. */
  private record Entry(String id, long lastAppliedMs) {}

  /**
   * The first of all gateways that has sent nothing after a time; null where there is none.
   *
   * @param logMs log time; never earlier than when it was asked for before
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

  /** How often all were ordered. */
  long passes() {
    return passes;
  }

  /** What is known of the order holds no more. */
  void clear() {
    ordered.clear();
  }
}

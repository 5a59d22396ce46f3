package io.weir.lab.oracle;

import io.weir.v1.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Scheduled events of a partition, looked through one by one. One thread. */
final class NaiveTimers {
  private record Name(String key, String id) {}

  /** An order that waits; of two due at one time the one ordered first comes first. */
  private record Waiting(Name name, Event order, long dueMs, long number) {}

  private static final long LONGEST_GAP_MS = 60_000;

  private final Map<Name, Waiting> waiting = new HashMap<>();
  private final List<Event> expired = new ArrayList<>();
  private long ordered;
  private long replaced;
  private long cancelled;
  private long missed;

  /** Carries out an order: the one before of its key and id goes in any case. */
  void order(Event order) {
    Name name = new Name(order.getKey(), order.getId());
    Waiting before = waiting.remove(name);
    if (order.getCancel()) {
      cancelled += before == null ? 0 : 1;
      return;
    }
    replaced += before == null ? 0 : 1;
    waiting.put(name, new Waiting(name, order, order.getDueMs(), ordered++));
  }

  /** What is due at an append time, in order; of one that repeats the last time alone. */
  List<Event> due(long appendMs) {
    waiting.replaceAll((name, each) -> notFarAhead(each, appendMs));
    List<Event> fired = new ArrayList<>();
    waiting.values().stream()
        .filter(each -> each.dueMs <= appendMs)
        .sorted(Comparator.comparingLong(Waiting::dueMs).thenComparingLong(Waiting::number))
        .toList()
        .forEach(
            each -> {
              if (each.order.getExpiresMs() == 0 || appendMs <= each.order.getExpiresMs()) {
                fired.add(fire(each, appendMs));
              } else {
                expired.add(waiting.remove(each.name).order);
              }
            });
    return fired;
  }

  /** Orders that were of no use any more when they were due, since it was last asked. */
  List<Event> expired() {
    List<Event> all = List.copyOf(expired);
    expired.clear();
    return all;
  }

  /** A clock that was a longest gap ahead, or more, moves no repetition: they come as it is now. */
  private static Waiting notFarAhead(Waiting each, long appendMs) {
    long everyMs = each.order.getEveryMs();
    if (everyMs == 0 || each.dueMs <= appendMs + everyMs + LONGEST_GAP_MS) {
      return each;
    }
    long dueMs = each.order.getDueMs();
    if (dueMs <= appendMs) {
      dueMs += ((appendMs - dueMs) / everyMs + 1) * everyMs;
    }
    return new Waiting(each.name, each.order, dueMs, each.number);
  }

  private Event fire(Waiting each, long appendMs) {
    waiting.remove(each.name);
    Event order = each.order;
    long times = order.getEveryMs() == 0 ? 0 : (appendMs - each.dueMs) / order.getEveryMs();
    long dueMs = each.dueMs + times * order.getEveryMs();
    if (order.getEveryMs() > 0) {
      long nextMs = dueMs + order.getEveryMs();
      waiting.put(each.name, new Waiting(each.name, order, nextMs, each.number));
    }
    missed += times;
    Event.Builder event = order.toBuilder().setDueMs(dueMs).setMissed(times);
    return order.getTimestampMs() == 0 ? event.setTimestampMs(dueMs).build() : event.build();
  }

  /** How many wait that are due at a time or before. */
  long dueBy(long timeMs) {
    return waiting.values().stream().filter(each -> each.dueMs <= timeMs).count();
  }

  long waiting() {
    return waiting.size();
  }

  long ordered() {
    return ordered;
  }

  long replaced() {
    return replaced;
  }

  long cancelled() {
    return cancelled;
  }

  /** Times of those that repeat at which nobody was there. */
  long missed() {
    return missed;
  }
}

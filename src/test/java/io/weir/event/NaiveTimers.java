package io.weir.event;

import io.weir.v1.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the scheduler must do, as plainly as it can be said. */
public final class NaiveTimers {
  private record Waiting(Event event, long dueMs, long order) {}

  private final int maxPerKey;
  private final Map<List<String>, Waiting> byName = new LinkedHashMap<>();
  private long orders;

  public NaiveTimers(int maxPerKey) {
    this.maxPerKey = maxPerKey;
  }

  /** Whether there was room. */
  public boolean order(Event event) {
    List<String> name = List.of(event.getKey(), event.getId());
    if (event.getCancel()) {
      byName.remove(name);
      return true;
    }
    long ofKey = byName.keySet().stream().filter(n -> n.get(0).equals(event.getKey())).count();
    if (!byName.containsKey(name) && ofKey >= maxPerKey) {
      return false;
    }
    byName.put(name, new Waiting(event, event.getDueMs(), orders++));
    return true;
  }

  /** What is due, at most so many. */
  public List<Event> due(long appendMs, int most) {
    List<Event> fired = new ArrayList<>();
    while (fired.size() < most) {
      Waiting first =
          byName.values().stream()
              .min(Comparator.comparingLong(Waiting::dueMs).thenComparingLong(Waiting::order))
              .filter(waiting -> waiting.dueMs() <= appendMs)
              .orElse(null);
      if (first == null) {
        break;
      }
      long dueMs = first.dueMs();
      long everyMs = first.event().getEveryMs();
      long missed = 0;
      while (everyMs > 0 && dueMs + everyMs <= appendMs) {
        dueMs += everyMs;
        missed++;
      }
      Event.Builder event = first.event().toBuilder().setDueMs(dueMs).setMissed(missed);
      if (event.getTimestampMs() == 0) {
        event.setTimestampMs(dueMs);
      }
      fired.add(event.build());
      List<String> name = List.of(event.getKey(), event.getId());
      if (everyMs == 0) {
        byName.remove(name);
      } else {
        byName.put(name, new Waiting(first.event(), dueMs + everyMs, first.order()));
      }
    }
    return fired;
  }

  public int size() {
    return byName.size();
  }
}

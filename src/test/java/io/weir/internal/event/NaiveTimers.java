package io.weir.internal.event;

import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the scheduler must do, as plainly as it can be said. */
public final class NaiveTimers {
  private record Waiting(String gatewayId, Event event, long dueMs, long order) {}

  private final TimerLimits limits;
  private final Map<List<String>, Waiting> byName = new LinkedHashMap<>();
  private final List<Event> expired = new ArrayList<>();
  private long orders;

  public NaiveTimers(TimerLimits limits) {
    this.limits = limits;
  }

  /** Whether there was room. */
  public boolean order(EventBatch batch, int index) {
    Event event = batch.getEvents(index);
    String gatewayId = batch.getGatewayId();
    List<String> name = List.of(event.getKey(), event.getId());
    if (event.getCancel()) {
      byName.remove(name);
      return true;
    }
    boolean leavesRoomForOthers = leavesRoomForOthers(gatewayId, event, byName.get(name));
    Waiting before = byName.remove(name);
    byName.put(name, new Waiting(gatewayId, event, event.getDueMs(), orders));
    List<Event> ofKey =
        events().stream().filter(other -> other.getKey().equals(event.getKey())).toList();
    boolean hasRoom =
        ofKey.size() <= limits.perKey()
            && byName.size() <= limits.all()
            && bytes(ofKey) <= limits.bytesPerKey()
            && bytes(events()) <= limits.bytes()
            && leavesRoomForOthers;
    if (hasRoom || before != null && bytes(List.of(event)) <= bytes(List.of(before.event()))) {
      orders++;
      return true;
    }
    byName.remove(name);
    if (before != null) {
      byName.put(name, before);
    }
    return false;
  }

  /** Beyond half of what may wait, a gateway has no more than an eighth. */
  private boolean leavesRoomForOthers(String gatewayId, Event event, Waiting before) {
    int more = before == null ? 1 : 0;
    long moreBytes = bytes(List.of(event)) - (before == null ? 0 : bytes(List.of(before.event())));
    List<Event> own =
        byName.values().stream()
            .filter(waiting -> waiting.gatewayId().equals(gatewayId))
            .map(Waiting::event)
            .toList();
    return (more == 0
            || byName.size() + more <= limits.all() / 2
            || own.size() + more <= limits.all() / 8)
        && (moreBytes <= 0
            || bytes() + moreBytes <= limits.bytes() / 2
            || bytes(own) + moreBytes <= limits.bytes() / 8);
  }

  private List<Event> events() {
    return byName.values().stream().map(Waiting::event).toList();
  }

  private static long bytes(List<Event> events) {
    return events.stream()
        .mapToLong(
            event -> 202 + bytes(event.getKey()) + bytes(event.getId()) + event.getSerializedSize())
        .sum();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** What those that wait take in memory, as it is counted. */
  public long bytes() {
    return bytes(events());
  }

  /** What is due, at most so many with those that are expired. */
  public List<Event> due(long appendMs, int most) {
    List<Event> fired = new ArrayList<>();
    for (int n = 0; n < most; n++) {
      Waiting first =
          byName.values().stream()
              .min(Comparator.comparingLong(Waiting::dueMs).thenComparingLong(Waiting::order))
              .filter(waiting -> waiting.dueMs() <= appendMs)
              .orElse(null);
      if (first == null) {
        break;
      }
      long expiresMs = first.event().getExpiresMs();
      if (expiresMs != 0 && expiresMs < appendMs) {
        expired.add(first.event());
        byName.remove(List.of(first.event().getKey(), first.event().getId()));
        continue;
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
        byName.put(
            name, new Waiting(first.gatewayId(), first.event(), dueMs + everyMs, first.order()));
      }
    }
    return fired;
  }

  /** Those that were due when they were of no use any more, since it was last asked. */
  public List<Event> expired() {
    List<Event> all = List.copyOf(expired);
    expired.clear();
    return all;
  }

  public int size() {
    return byName.size();
  }
}

package io.weir.lab.oracle;

import io.weir.keyed.EndReason;
import io.weir.keyed.Outcome;
import io.weir.keyed.StartOn;
import io.weir.v1.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@link ScriptedHandler}s must come to, as plainly as it can be said. */
public final class NaiveKeys {
  private record Waiting(
      String key, String id, long dueMs, long order, Event event, long retryMs, long inMs) {}

  private static final class Life {
    boolean started;
    String state;
    long lastLogMs;
    long touched;
    final List<Event> events = new ArrayList<>();
  }

  private final StartOn startOn;
  private final long idleMs;
  private final long longestGapMs;
  private final int mostWaiting;
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private List<Waiting> timers = new ArrayList<>();
  private final List<String> out = new ArrayList<>();
  private final List<String> deadLetters = new ArrayList<>();
  private long orders;
  private long touches;
  private long appendMs = Long.MIN_VALUE;
  private long logMs;

  public NaiveKeys(StartOn startOn, long idleMs, int mostWaiting) {
    this.startOn = startOn;
    this.idleMs = idleMs;
    this.longestGapMs = Math.min(60_000, idleMs / 2);
    this.mostWaiting = mostWaiting;
  }

  public void record(long atMs, List<Event> events) {
    logMs =
        appendMs == Long.MIN_VALUE
            ? atMs
            : logMs + Math.min(longestGapMs, Math.max(0, atMs - appendMs));
    appendMs = atMs;
    waitNoLonger();
    due();
    events.forEach(this::event);
    due();
  }

  /** Where the clock went back: nothing waits for longer than it was scheduled for. */
  private void waitNoLonger() {
    List<Waiting> tooLong =
        timers.stream()
            .filter(timer -> timer.inMs() > 0)
            .filter(timer -> timer.dueMs() - appendMs - longestGapMs > timer.inMs())
            .sorted(Comparator.comparingLong(Waiting::dueMs).thenComparingLong(Waiting::order))
            .toList();
    timers.removeAll(tooLong);
    for (Waiting timer : tooLong) {
      timers.add(
          new Waiting(
              timer.key(),
              timer.id(),
              appendMs + timer.inMs(),
              orders++,
              timer.event(),
              timer.retryMs(),
              timer.inMs()));
    }
  }

  /** What was emitted since it was last asked: key=value. */
  public List<String> out() {
    List<String> all = List.copyOf(out);
    out.clear();
    return all;
  }

  /** Dead letters since it was last asked: reason subject. */
  public List<String> deadLetters() {
    List<String> all = List.copyOf(deadLetters);
    deadLetters.clear();
    return all;
  }

  int alive() {
    return (int) lives.values().stream().filter(life -> life.started).count();
  }

  int timers() {
    return timers.size();
  }

  private void event(Event event) {
    String key = event.getKey();
    if (isExpired(event)) {
      return;
    }
    Life life = lives.computeIfAbsent(key, any -> new Life());
    if (!life.started && startOn == StartOn.START_EVENT && !event.getStart()) {
      if (life.events.size() >= mostWaiting) {
        deadLetters.add("TOO_MANY_WAITING " + event.getSubject());
      } else {
        life.events.add(event);
        touch(life);
      }
      return;
    }
    boolean first = !life.started;
    if (first) {
      if (ScriptedHandler.failsAt(appendMs)) {
        deadLetters.add("HANDLER " + event.getSubject());
        touch(life);
        forget(key);
        return;
      }
      life.started = true;
      life.state = "s";
      out.add(key + "=start");
      timers.add(
          new Waiting(
              key,
              "first",
              appendMs + 20_000,
              orders++,
              Event.newBuilder().setKey(key).setType("e").build(),
              0,
              20_000));
      touch(life);
    }
    handle(key, event);
    while (first && life.started && !life.events.isEmpty()) {
      Event waited = life.events.remove(0);
      if (!isExpired(waited)) {
        handle(key, waited);
      }
    }
  }

  /** Then it is a dead letter. */
  private boolean isExpired(Event event) {
    boolean isExpired = event.getExpiresMs() > 0 && event.getExpiresMs() < appendMs;
    if (isExpired) {
      deadLetters.add("EXPIRED_EVENT " + event.getSubject());
    }
    return isExpired;
  }

  private void touch(Life life) {
    life.lastLogMs = logMs;
    life.touched = touches++;
  }

  private void forget(String key) {
    if (lives.get(key).events.isEmpty()) {
      lives.remove(key);
    }
  }

  private void handle(String key, Event event) {
    if (!handled(key, event)) {
      deadLetters.add("HANDLER " + event.getSubject());
    }
  }

  private boolean handled(String key, Event event) {
    Life life = lives.get(key);
    String state = life.state;
    List<Waiting> wanted = new ArrayList<>(timers);
    List<String> emitted = new ArrayList<>();
    Outcome outcome = Outcome.CONTINUE;
    boolean failed = false;
    long order = orders;
    for (String word : event.getType().split(" ")) {
      String[] parts = word.split(":", 4);
      switch (parts[0]) {
        case "a" -> state = (state == null ? "" : state) + event.getSubject();
        case "-" -> state = null;
        case "t", "s", "c", "r" -> {
          wanted.removeIf(timer -> timer.key().equals(key) && timer.id().equals(parts[1]));
          if (!parts[0].equals("c")) {
            long dueMs = appendMs + Long.parseLong(parts[2]);
            Event due =
                Event.newBuilder()
                    .setKey(key)
                    .setSubject("<" + parts[1])
                    .setType(parts[0].equals("r") ? event.getType() : parts[3].replace('_', ' '))
                    .setExpiresMs(parts[0].equals("s") ? dueMs + 2_000 : 0)
                    .build();
            long inMs = Math.max(0, Long.parseLong(parts[2]));
            wanted.add(new Waiting(key, parts[1], dueMs, order++, due, 0, inMs));
          }
        }
        case "e" -> emitted.add(key + "=" + state);
        case "n" -> emitted.add("null=null");
        case "x" -> failed = true;
        case "f" -> failed |= ScriptedHandler.wordFailsAt(appendMs);
        case "0" -> outcome = null;
        case "d" -> outcome = Outcome.DONE;
        default -> {}
      }
    }
    touch(life);
    boolean isDone = outcome == Outcome.DONE;
    if (failed || outcome == null || isDone && ScriptedHandler.failsAt(appendMs)) {
      return false;
    }
    life.state = state;
    timers = wanted;
    orders = order;
    out.addAll(emitted);
    if (isDone) {
      end(key, EndReason.DONE);
    }
    return true;
  }

  private void end(String key, EndReason reason) {
    Life life = lives.get(key);
    out.add(key + "=end " + reason + " " + life.state);
    timers.removeIf(timer -> timer.key().equals(key));
    life.started = false;
    life.state = null;
    touch(life);
    forget(key);
  }

  private void due() {
    while (true) {
      Waiting first =
          timers.stream()
              .min(Comparator.comparingLong(Waiting::dueMs).thenComparingLong(Waiting::order))
              .filter(timer -> timer.dueMs() <= appendMs)
              .orElse(null);
      if (first == null) {
        break;
      }
      timers.remove(first);
      if (isExpired(first.event())) {
        touch(lives.get(first.key()));
      } else if (!handled(first.key(), first.event())) {
        deadLetters.add("HANDLER_RETRY " + first.event().getSubject());
        long inMs = Math.min(300_000, Math.max(1_000, 2 * first.retryMs()));
        long dueMs = appendMs + inMs;
        timers.add(
            new Waiting(first.key(), first.id(), dueMs, orders++, first.event(), inMs, inMs));
      }
    }
    while (true) {
      Set<String> busy = new HashSet<>();
      timers.forEach(timer -> busy.add(timer.key()));
      String idle =
          lives.entrySet().stream()
              .filter(entry -> !busy.contains(entry.getKey()))
              .filter(entry -> logMs - entry.getValue().lastLogMs >= idleMs)
              .min(Comparator.comparingLong(entry -> entry.getValue().touched))
              .map(Map.Entry::getKey)
              .orElse(null);
      if (idle == null) {
        return;
      }
      endIdle(idle);
    }
  }

  private void endIdle(String key) {
    Life life = lives.get(key);
    if (life.started && ScriptedHandler.failsAt(appendMs)) {
      deadLetters.add("HANDLER_RETRY ");
      touch(life);
    } else if (life.started) {
      end(key, EndReason.IDLE);
    } else {
      life.events.forEach(event -> deadLetters.add("NOT_STARTED " + event.getSubject()));
      lives.remove(key);
    }
  }
}

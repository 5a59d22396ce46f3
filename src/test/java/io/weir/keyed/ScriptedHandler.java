package io.weir.keyed;

import io.weir.v1.Event;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Does what the type of an event says, words with blanks between: {@code a} appends the subject to
 * the state, {@code -} deletes the state, {@code t:id:ms:words} schedules, with {@code _} between
 * the words, {@code s:id:ms:words} what is of use for 2 s from then on, {@code c:id} cancels,
 * {@code e} emits the state, {@code n} a tombstone, {@code x} throws, {@code d} ends, {@code 0}
 * gives null. Start and end throw at some times.
 */
final class ScriptedHandler implements KeyHandler {
  static final Serde<String> STATE = Serdes.String();

  /** Of this object's key; two at once would be seen. */
  private final AtomicInteger inside = new AtomicInteger();

  /** Whether start and end throw at a time. */
  static boolean failsAt(long ms) {
    return ms % 5 == 0;
  }

  private static void maybeFail(KeyContext key) {
    if (failsAt(key.now().toEpochMilli())) {
      throw new IllegalStateException("at that time");
    }
  }

  @Override
  public void start(KeyContext key) {
    key.setState(STATE, "s");
    key.emit(KeyedDriver.OUT, key.key(), "start");
    key.schedule("first", Duration.ofSeconds(20), Event.newBuilder().setType("e").build());
    maybeFail(key);
  }

  @Override
  public Outcome event(KeyContext key, Event event) {
    if (inside.incrementAndGet() != 1) {
      throw new AssertionError("two calls at once");
    }
    try {
      Outcome outcome = Outcome.CONTINUE;
      for (String word : event.getType().split(" ")) {
        outcome = word.equals("d") ? Outcome.DONE : word.equals("0") ? null : outcome;
        run(key, event, word);
      }
      return outcome;
    } finally {
      inside.decrementAndGet();
    }
  }

  private static void run(KeyContext key, Event event, String word) {
    String[] parts = word.split(":", 4);
    switch (parts[0]) {
      case "a" -> {
        String state = key.state(STATE);
        key.setState(STATE, (state == null ? "" : state) + event.getSubject());
      }
      case "-" -> key.setState(null);
      case "t", "s" -> {
        Duration in = Duration.ofMillis(Long.parseLong(parts[2]));
        Event.Builder due =
            Event.newBuilder().setSubject("<" + parts[1]).setType(parts[3].replace('_', ' '));
        if (parts[0].equals("s")) {
          due.setExpiresMs(key.now().plus(in).plusMillis(2_000).toEpochMilli());
        }
        key.schedule(parts[1], in, due.build());
      }
      case "c" -> key.cancel(parts[1]);
      case "e" -> key.emit(KeyedDriver.OUT, key.key(), key.state(STATE));
      case "n" -> key.emit(KeyedDriver.OUT, null, null);
      case "x" -> throw new IllegalArgumentException("as the test asks");
      default -> {}
    }
  }

  @Override
  public void end(KeyContext key, EndReason reason) {
    key.emit(KeyedDriver.OUT, key.key(), "end " + reason + " " + key.state(STATE));
    maybeFail(key);
  }
}

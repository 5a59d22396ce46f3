package io.weir.lab.oracle;

import io.weir.keyed.EndReason;
import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.Outcome;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Does what the type of an event says, words with blanks between: {@code a} appends the subject to
 * the state, {@code -} deletes the state, {@code t:id:ms:words} schedules, with {@code _} between
 * the words, {@code s:id:ms:words} what is of use for 2 s from then on, {@code r:id:ms} the same
 * event again, {@code c:id} cancels, {@code e} emits the state, {@code n} a tombstone, {@code x}
 * throws, {@code f} throws at some times, {@code d} ends, {@code 0} gives null. Start and end throw
 * at some times.
 */
public class ScriptedHandler implements KeyHandler {
  /** Where it emits to, texts with texts as keys. */
  public static final String OUT = "out";

  private static final Serde<String> STATE = Serdes.String();

  /** Of this object's key; two at once would be seen. */
  private final AtomicInteger inside = new AtomicInteger();

  /** Whether start and end throw at a time. */
  public static boolean failsAt(long ms) {
    return ms % 5 == 0;
  }

  /** Whether the word {@code f} throws at a time: soon it does not. */
  static boolean wordFailsAt(long ms) {
    return ms % 2 == 0;
  }

  /** Whether a call throws because of its time, and would not at another one. */
  public static boolean failsAt(Event event, long ms) {
    return wordFailsAt(ms) && List.of(event.getType().split(" ")).contains("f");
  }

  private static void maybeFail(KeyContext key) {
    if (failsAt(key.now().toEpochMilli())) {
      throw new IllegalStateException("at that time");
    }
  }

  @Override
  public void start(KeyContext key) {
    key.setState(STATE, "s");
    key.emit(OUT, key.key(), "start");
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
      case "r" ->
          key.schedule(
              parts[1],
              Duration.ofMillis(Long.parseLong(parts[2])),
              Event.newBuilder().setSubject("<" + parts[1]).setType(event.getType()).build());
      case "c" -> key.cancel(parts[1]);
      case "e" -> key.emit(OUT, key.key(), key.state(STATE));
      case "n" -> key.emit(OUT, null, null);
      case "x" -> throw new IllegalArgumentException("as the test asks");
      case "f" -> {
        if (wordFailsAt(key.now().toEpochMilli())) {
          throw new IllegalStateException("at that time");
        }
      }
      default -> {}
    }
  }

  @Override
  public void end(KeyContext key, EndReason reason) {
    key.emit(OUT, key.key(), "end " + reason + " " + key.state(STATE));
    maybeFail(key);
  }
}

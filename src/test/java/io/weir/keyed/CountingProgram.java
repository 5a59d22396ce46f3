package io.weir.keyed;

import io.weir.v1.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A process with handlers that count: each event of a key gets the key's next number, and schedules
 * one event; one of the type x fails. What was handled is emitted: number, subject, due time.
 */
public final class CountingProgram implements KeyHandler {
  /** Where it emits to. */
  public static final String OUT = "handled";

  /** Keys of this process that are being handled. */
  private static final Set<String> BUSY = ConcurrentHashMap.newKeySet();

  @Override
  public void start(KeyContext key) {
    key.setState(text("0"));
  }

  @Override
  public Outcome event(KeyContext key, Event event) {
    if (!BUSY.add(key.key())) {
      throw new AssertionError("two calls for " + key.key() + " at once");
    }
    try {
      long number = 1 + Long.parseLong(new String(key.state(), StandardCharsets.UTF_8));
      key.setState(text("" + number));
      key.emit(OUT, key.key(), "%d %s %d".formatted(number, event.getSubject(), event.getDueMs()));
      if (event.getDueMs() == 0) {
        key.schedule(
            event.getSubject(),
            Duration.ofMillis(Math.floorMod(event.getSubject().hashCode() * 31L, 6_000)),
            Event.newBuilder().setSubject(event.getSubject()).build());
      }
      if (event.getType().equals("x")) {
        throw new IllegalStateException("one of those that fail");
      }
      return Outcome.CONTINUE;
    } finally {
      BUSY.remove(key.key());
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static void main(String[] args) {
    KeyedApplication.builder("counting", CountingProgram::new)
        .output(OUT, new StringSerializer(), new StringSerializer())
        .retry(1)
        .run();
  }
}

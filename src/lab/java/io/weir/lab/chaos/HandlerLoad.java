package io.weir.lab.chaos;

import io.weir.topic.Topic;
import io.weir.v1.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Events for {@link io.weir.lab.oracle.ScriptedHandler}s by seed: some schedule, some schedule
 * themselves again and again, some fail, always or at some times, some end their key. One thread.
 */
final class HandlerLoad implements EventTraffic {
  private static final int KEYS = 120;
  private static final int ONE_STARTS_IN = 3;
  private static final int CANCELLATIONS = 10;

  private final Random random;
  private final List<String> keys = IntStream.range(0, KEYS).mapToObj(i -> "call-" + i).toList();
  private long number;

  HandlerLoad(Random random) {
    this.random = random;
  }

  @Override
  public List<Part> next(long clockMs) {
    String key = keys.get((int) (random.nextDouble() * random.nextDouble() * KEYS));
    List<Event> events = new ArrayList<>();
    for (int left = random.nextInt(3); left >= 0; left--) {
      events.add(event(key, clockMs, script()));
    }
    return List.of(part(key, events));
  }

  private static Part part(String key, List<Event> events) {
    return new Part(HandlersApplication.TOPICS.of(Topic.EVENTS), key, events);
  }

  private Event event(String key, long clockMs, String script) {
    return Event.newBuilder()
        .setKey(key)
        .setSubject("n" + number++)
        .setTimestampMs(clockMs)
        .setStart(random.nextInt(ONE_STARTS_IN) == 0)
        .setType(script)
        .build();
  }

  private String script() {
    List<String> words = new ArrayList<>();
    for (int left = random.nextInt(3); left >= 0; left--) {
      words.add(word(random.nextInt(24)));
    }
    return String.join(" ", words);
  }

  private String word(int which) {
    return switch (which) {
      case 0 -> "x";
      case 1, 2 -> "f";
      case 3 -> "d";
      case 4 -> "-";
      case 5 -> "c:" + random.nextInt(4);
      case 6, 7 -> timer("f_a_e_r:%d:" + (1_000 + random.nextInt(4_000)));
      case 8 -> timer("f_a_e");
      case 9 -> timer("x");
      case 10 -> timer("f_d");
      case 11, 12, 13 -> timer("a_e");
      case 14, 15, 16, 17 -> "e";
      default -> "a";
    };
  }

  private String timer(String script) {
    int id = random.nextInt(4);
    return "t:%d:%d:".formatted(id, random.nextInt(6_000) - 500) + script.formatted(id);
  }

  /**
   * Ends all timers of each key. Several times, as the event that starts a key comes before those
   * that waited for a start: these may schedule what always fails, and each may end the key.
   */
  @Override
  public List<Part> last(long clockMs) {
    return keys.stream()
        .map(
            key ->
                part(
                    key,
                    Stream.generate(() -> cancellation(key, clockMs))
                        .limit(CANCELLATIONS)
                        .toList()))
        .toList();
  }

  private Event cancellation(String key, long clockMs) {
    return event(key, clockMs, "c:0 c:1 c:2 c:3 c:first").toBuilder().setStart(true).build();
  }
}

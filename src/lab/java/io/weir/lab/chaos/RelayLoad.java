package io.weir.lab.chaos;

import io.weir.lab.oracle.RelayWords;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Events of posts by seed, which become events of accounts: some at once and some later, some of
 * calls that fail for a while and some of calls that always fail. One thread.
 */
final class RelayLoad implements EventTraffic {
  private static final int POSTS = 40;

  private final Random random;
  private long number;

  RelayLoad(Random random) {
    this.random = random;
  }

  @Override
  public List<Part> next(long clockMs) {
    String post = RelayWords.POST + (int) (random.nextDouble() * random.nextDouble() * POSTS);
    List<Event> events = new ArrayList<>();
    for (int left = random.nextInt(3); left >= 0; left--) {
      events.add(
          Event.newBuilder()
              .setKey(post)
              .setSubject("p" + number++)
              .setTimestampMs(clockMs)
              .setType(words())
              .build());
    }
    return List.of(new Part(TopicNames.ALL.of(Topic.EVENTS), post, events));
  }

  private String words() {
    String when = random.nextInt(3) == 0 ? RelayWords.LATER : RelayWords.NOW;
    return when
        + switch (random.nextInt(40)) {
          case 0 -> " " + RelayWords.FAILS_ALWAYS;
          case 1, 2, 3 -> " " + RelayWords.FAILS_AT_FIRST;
          default -> "";
        };
  }

  @Override
  public List<Part> last(long clockMs) {
    return List.of();
  }
}

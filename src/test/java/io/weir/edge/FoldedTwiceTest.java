package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Seeds;
import io.weir.edge.EventPublisherSettings.Fold;
import io.weir.internal.event.Decoded;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.Folds;
import io.weir.internal.wire.EventRules;
import io.weir.internal.wire.FoldedEventEncoder;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Events that publishers fold and {@code weir events} folds again: the last value of each field is
 * that of the same events without publishers' folds, by a plain loop over them.
 */
class FoldedTwiceTest {
  private static final Fold FOLD = new Fold(Duration.ofSeconds(5), Duration.ofSeconds(20));
  private static final FoldSpec ALL = new FoldSpec(1, 1, 1_000, Long.MAX_VALUE);

  private final Decoded decoded = new Decoded();
  private final List<Event> log = new ArrayList<>();
  private boolean full;

  private EventFolds publisher(long maxBytes) {
    return new EventFolds(
        FOLD,
        maxBytes,
        (event, acknowledgements) -> {
          if (full) {
            return Offer.SUSPENDED;
          }
          assertThat(EventRules.refusal(event, 256)).isEmpty();
          log.add(event);
          return Offer.ACCEPTED;
        });
  }

  @Test
  void newerValue_staysLast_thoughAnotherSubjectsFoldLeavesLater() {
    EventFolds publisher = publisher(1 << 20);
    List<Event> unfolded =
        List.of(
            event("post_1", 1_000, "status", "draft"),
            event("post_2", 1_500, "status", "draft of post 2"),
            event("post_1", 2_000, "status", "published"),
            event("post_1", 3_000, "likes", "5"));
    unfolded.forEach(event -> publisher.offer(event, null, 0));
    publisher.sendAll();

    assertThat(log).hasSize(2);
    assertThat(log.get(0).getTimestampMs()).isEqualTo(3_000);
    assertThat(log.get(0).getFieldTimestampsMsMap()).containsExactly(Map.entry("status", 2_000L));
    assertThat(last(log)).isEqualTo(naive(unfolded)).containsEntry("k//status", "published@2000");
  }

  @Test
  void onePublisher_anyOrderAndDelay_alsoWithEqualTimes() {
    Seeds.forEach(
        300,
        random -> {
          log.clear();
          List<Event> unfolded = new ArrayList<>();
          EventFolds publisher = publisher(1_000 + random.nextInt(30_000));
          play(random, List.of(publisher), unfolded, 1 + random.nextInt(30));
          assertThat(last(log)).isEqualTo(naive(unfolded));
        });
  }

  @Test
  void severalPublishers_whereTimesDiffer() {
    Seeds.forEach(
        300,
        random -> {
          log.clear();
          List<Event> unfolded = new ArrayList<>();
          List<EventFolds> publishers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            publishers.add(publisher(1_000 + random.nextInt(30_000)));
          }
          play(random, publishers, unfolded, 0);
          assertThat(last(log)).isEqualTo(naive(unfolded));
        });
  }

  /**
   * @param times how many different times there are; 0 for another one each
   */
  private void play(Random random, List<EventFolds> publishers, List<Event> unfolded, int times) {
    List<Long> different = new ArrayList<>();
    for (long i = 0; i < 200; i++) {
      different.add(1_000 + i);
    }
    java.util.Collections.shuffle(different, random);
    long nowNanos = 0;
    for (int step = 0; step < 200; step++) {
      full = random.nextInt(8) == 0;
      Event.Builder event =
          Event.newBuilder()
              .setKey("k")
              .setType(random.nextInt(4) == 0 ? "t" : "")
              .setSubject("s" + random.nextInt(4))
              .setTimestampMs(times == 0 ? different.get(step) : 1_000 + random.nextInt(times))
              .setStart(random.nextInt(20) == 0);
      for (int field = random.nextInt(3); field >= 0; field--) {
        event.putFields("f" + random.nextInt(4), text("v" + step + "." + field));
      }
      Event built = event.build();
      EventFolds publisher = publishers.get(random.nextInt(publishers.size()));
      if (publisher.offer(built, null, nowNanos) == Offer.ACCEPTED) {
        unfolded.add(built);
      }
      nowNanos += (long) (random.nextDouble() * 3e9);
      publishers.get(random.nextInt(publishers.size())).sendDue(nowNanos);
    }
    full = false;
    publishers.forEach(EventFolds::sendAll);
  }

  /** By key, type and field: the last value and its time, as the folds of the engine have it. */
  private Map<String, String> last(List<Event> events) {
    Folds folds = new Folds(ALL);
    Map<String, String> last = new TreeMap<>();
    Folds.Sink sink =
        (fold, reason) -> {
          FoldedEvent message = parsed(FoldedEventEncoder.encode(fold, reason));
          message
              .getFieldsMap()
              .forEach(
                  (name, field) ->
                      last.put(
                          message.getKey() + "/" + message.getType() + "/" + name,
                          field.getLast().getStringValue() + "@" + field.getLastTimestampMs()));
        };
    for (int offset = 0; offset < events.size(); offset++) {
      EventBatch batch = EventBatch.newBuilder().addEvents(events.get(offset)).build();
      folds.add(decoded.of(batch), 0, offset, 1, sink);
    }
    folds.endDue(Long.MAX_VALUE, Integer.MAX_VALUE, sink);
    return last;
  }

  private static Map<String, String> naive(List<Event> unfolded) {
    Map<String, String> last = new TreeMap<>();
    Map<String, Long> times = new TreeMap<>();
    for (Event event : unfolded) {
      event
          .getFieldsMap()
          .forEach(
              (name, value) -> {
                String field = event.getKey() + "/" + event.getType() + "/" + name;
                if (event.getTimestampMs() >= times.getOrDefault(field, 0L)) {
                  times.put(field, event.getTimestampMs());
                  last.put(field, value.getStringValue() + "@" + event.getTimestampMs());
                }
              });
    }
    return last;
  }

  private static FoldedEvent parsed(byte[] bytes) {
    try {
      return FoldedEvent.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static Event event(String subject, long timestampMs, String field, String value) {
    return Event.newBuilder()
        .setKey("k")
        .setSubject(subject)
        .setTimestampMs(timestampMs)
        .putFields(field, text(value))
        .build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}

package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventJudge;
import io.weir.internal.event.EventRefusal;
import io.weir.reading.IdPermit;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a publisher refuses at once is what the topology would refuse. */
class EventRulesTest {
  private static final long FAR_AHEAD_MS = Long.MAX_VALUE / 2;
  private static final long[] TIMES = {-1, 0, 1, 999, 1_000, 1_700_000_000_000L};

  private final EventDecoder decoder = new EventDecoder(new Limits(8 << 20, 1, 256));

  @Test
  void publisherAndTopology_refuseTheSame() {
    Set<Optional<EventRefusal>> seen = new HashSet<>();
    Seeds.forEach(
        5,
        random -> {
          for (int i = 0; i < 2_000; i++) {
            Event event = event(random);
            Optional<EventRefusal> refusal = EventRules.refusal(event, 256);
            assertThat(refusal).as(() -> event.toString()).isEqualTo(judged(event));
            seen.add(refusal);
          }
        });
    assertThat(seen).hasSize(9);
  }

  /** One that is scheduled has more bytes when it comes. */
  @Test
  void largestEvents_areTheSameForBoth() throws Exception {
    Event happened = Event.newBuilder().setKey("k").setTimestampMs(5).build();
    Event scheduled = Event.newBuilder().setKey("k").setDueMs(5).build();
    Event cancelled = Event.newBuilder().setKey("k").setCancel(true).build();
    int coming = EventJudge.COMING_BYTES;
    int most = EventJudge.MAX_BYTES;
    for (Event event : new Event[] {happened, scheduled, cancelled}) {
      int allowed = event == scheduled ? most - coming : most;
      int empty = event.toBuilder().setSubject("").build().getSerializedSize();
      for (int over = 0; over < 2; over++) {
        Value.Builder filler = Value.newBuilder();
        int bytes = allowed + over - empty - 15;
        Event large =
            event.toBuilder()
                .putFields("b", filler.setBytesValue(ByteString.copyFrom(new byte[bytes])).build())
                .build();
        assertThat(large.getSerializedSize()).isEqualTo(allowed + over);
        Optional<EventRefusal> expected =
            over == 0 ? Optional.empty() : Optional.of(EventRefusal.EVENT_TOO_LARGE);
        assertThat(EventRules.refusal(large, 256)).isEqualTo(expected);
        assertThat(judged(large)).isEqualTo(expected);
      }
    }
  }

  private Optional<EventRefusal> judged(Event event) throws Exception {
    EventColumns batch =
        decoder.decode(EventBatch.newBuilder().addEvents(event).build().toByteArray());
    EventJudge.Kind kind =
        EventRules.isScheduled(event) ? EventJudge.Kind.SCHEDULED : EventJudge.Kind.HAPPENED;
    new EventJudge(kind, 0, 1, 256, FAR_AHEAD_MS).judge(batch, 1, 1, IdPermit.ALL);
    return Optional.ofNullable(batch.refusal(0));
  }

  private static Event event(Random random) {
    Event.Builder event =
        Event.newBuilder()
            .setKey(text(random, "key"))
            .setSubject(text(random, "subject"))
            .setType(text(random, "type"))
            .setId(text(random, "id"))
            .setTimestampMs(random.nextInt(3) > 0 ? 5 : TIMES[random.nextInt(TIMES.length)]);
    if (random.nextBoolean()) {
      event.setDueMs(TIMES[random.nextInt(TIMES.length)]);
      event.setEveryMs(TIMES[random.nextInt(TIMES.length)]);
      event.setCancel(random.nextInt(4) == 0);
      if (random.nextInt(4) == 0) {
        event.setExpiresMs(500);
      }
    }
    int fields = random.nextInt(50) == 0 ? 1_001 : random.nextInt(3);
    for (int i = 0; i < fields; i++) {
      String name = fields > 3 ? "f" + i : text(random, "f" + i);
      event.putFields(name, Value.newBuilder().setInt64Value(i).build());
    }
    int times = random.nextInt(60) == 0 ? 1_001 : random.nextInt(8) - 6;
    for (int i = 0; i < times; i++) {
      String name = times > 3 ? "f" + i : text(random, "f" + i);
      event.putFieldTimestampsMs(
          name, random.nextInt(3) > 0 ? 5 : TIMES[random.nextInt(TIMES.length)]);
    }
    if (random.nextInt(50) == 0) {
      event.putFields(
          "large", Value.newBuilder().setStringValue("x".repeat(EventJudge.MAX_BYTES)).build());
    }
    return event.build();
  }

  private static String text(Random random, String usual) {
    return switch (random.nextInt(40)) {
      case 0 -> "";
      case 1 -> "é".repeat(128);
      case 2 -> "é".repeat(129);
      default -> usual;
    };
  }
}

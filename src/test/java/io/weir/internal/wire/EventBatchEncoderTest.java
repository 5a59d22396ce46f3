package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Seeds;
import io.weir.internal.event.Timer;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventBatchEncoderTest {
  @Test
  void timersOfAnySize_areWhatProtobufMakesOfThem() {
    Seeds.forEach(200, EventBatchEncoderTest::assertAgrees);
  }

  private static void assertAgrees(Random random) {
    EventBatchEncoder encoder = new EventBatchEncoder();
    for (int batch = 0; batch < 3; batch++) {
      EventBatch.Builder expected = EventBatch.newBuilder();
      int events = random.nextInt(5);
      for (int i = 0; i < events; i++) {
        Event.Builder event = Event.newBuilder().setKey("k").setId("x".repeat(someSize(random)));
        long timestampMs = random.nextBoolean() ? 0 : 1 + random.nextInt(1_000);
        event.setTimestampMs(timestampMs);
        long dueMs = 1 + (random.nextLong() >>> 1 + random.nextInt(63));
        long missed = random.nextLong() >>> 1 + random.nextInt(63);
        byte[] asScheduled = event.build().toByteArray();
        encoder.add(
            new Timer(new byte[4], asScheduled, 1, 0, 0, timestampMs != 0, 0, 0), dueMs, missed);
        expected.addEvents(
            event
                .setDueMs(dueMs)
                .setMissed(missed)
                .setTimestampMs(timestampMs == 0 ? dueMs : timestampMs));
      }
      assertThat(encoder.events()).isEqualTo(events);
      int size = encoder.size();
      byte[] bytes = encoder.take();
      assertThat(bytes).hasSize(size);
      assertThat(parsed(bytes)).isEqualTo(expected.build());
    }
  }

  /** Around the lengths at which another byte is needed for them. */
  private static int someSize(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(10);
      case 1 -> 100 + random.nextInt(60);
      case 2 -> 16_350 + random.nextInt(60);
      default -> random.nextInt(200_000);
    };
  }

  private static EventBatch parsed(byte[] bytes) {
    try {
      return EventBatch.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}

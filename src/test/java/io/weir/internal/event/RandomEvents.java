package io.weir.internal.event;

import com.google.protobuf.ByteString;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Batches of events by chance: few keys, fields, subjects and times, so that they meet. */
public final class RandomEvents {
  private final Random random;

  public RandomEvents(Random random) {
    this.random = random;
  }

  /** Events of keys k0, k1 ... with times around a moment. */
  public EventBatch batch(int keys, long aroundMs) {
    EventBatch.Builder batch = EventBatch.newBuilder().setGatewayId(gatewayId());
    for (int n = random.nextInt(4); n >= 0; n--) {
      batch.addEvents(event("k" + random.nextInt(keys), aroundMs));
    }
    return batch.build();
  }

  private String gatewayId() {
    return random.nextInt(3) == 0 ? "" : "g" + random.nextInt(3);
  }

  public Event event(String key, long aroundMs) {
    Event.Builder event =
        Event.newBuilder().setKey(key).setTimestampMs(aroundMs + random.nextInt(5));
    if (random.nextInt(3) > 0) {
      event.setSubject(text("s", 4)).setType(text("t", 3));
    }
    for (int n = random.nextInt(4); n > 0; n--) {
      String name = text("f", 5);
      event.putFields(name, value());
      if (random.nextInt(4) == 0 && event.getTimestampMs() > 1) {
        event.putFieldTimestampsMs(name, event.getTimestampMs() - random.nextInt(2));
      }
    }
    return event.build();
  }

  private String text(String prefix, int different) {
    int n = random.nextInt(different);
    return n == 0 ? "ä\uD83D\uDE00" : prefix + n;
  }

  private Value value() {
    Value.Builder value = Value.newBuilder();
    return switch (random.nextInt(7)) {
      case 0 -> value.setDoubleValue(random.nextInt(3) / 2.0).build();
      case 1 -> value.setInt64Value(random.nextInt(3) - 1).build();
      case 2 -> value.setBoolValue(random.nextBoolean()).build();
      case 3 -> value.setStringValue(text("v", 3)).build();
      case 4 -> value.setBytesValue(ByteString.copyFrom(new byte[random.nextInt(2)])).build();
      case 5 -> value.setNullValue(true).build();
      default -> value.build();
    };
  }

  /** Events that are to come, or are taken back. */
  public EventBatch orders(int keys, long nowMs) {
    List<Event> events = new ArrayList<>();
    for (int n = random.nextInt(4); n >= 0; n--) {
      Event.Builder event = event("k" + random.nextInt(keys), nowMs).toBuilder();
      event.setId(random.nextBoolean() ? "" : "id" + random.nextInt(3));
      if (random.nextInt(4) == 0) {
        event.setCancel(true);
      } else {
        event.setDueMs(Math.max(1, nowMs + random.nextInt(6_000) - 1_000));
        event.setEveryMs(random.nextInt(3) == 0 ? 1_000 + random.nextInt(1_000) : 0);
        if (random.nextInt(4) == 0) {
          event.setExpiresMs(Math.max(1, nowMs + random.nextInt(8_000) - 1_000));
        }
        if (random.nextBoolean()) {
          event.clearTimestampMs();
          long latestMs = event.getDueMs();
          for (String name : List.copyOf(event.getFieldTimestampsMsMap().keySet())) {
            long ms = event.getFieldTimestampsMsOrThrow(name);
            event.putFieldTimestampsMs(name, Math.min(ms, latestMs));
          }
        }
      }
      events.add(event.build());
    }
    return EventBatch.newBuilder().setGatewayId(gatewayId()).addAllEvents(events).build();
  }
}

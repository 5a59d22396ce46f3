package io.weir.lab.chaos;

import com.google.protobuf.ByteString;
import io.weir.lab.oracle.EventCheck;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Events and orders by seed: keys of which some never rest and others do, all kinds of values,
 * timers that are set, replaced and cancelled, that repeat, that are due in the past or in hours,
 * some that expire, and a few that are refused. One thread.
 */
final class EventLoad implements EventTraffic {
  private static final int KEYS = 400;
  private static final int IDS = 5;
  private static final int FIELDS = 16;
  private static final long AN_HOUR_MS = 3_600_000;

  private final Random random;
  private final List<List<String>> keysByPartition = new ArrayList<>();
  private final List<String> keys =
      IntStream.range(0, KEYS).mapToObj(i -> "k\u00f6y-" + i).toList();
  private long number;

  EventLoad(Random random) {
    this.random = random;
    IntStream.range(0, SensorPartition.COUNT).forEach(p -> keysByPartition.add(new ArrayList<>()));
    keys.forEach(key -> keysByPartition.get(SensorPartition.of(key)).add(key));
  }

  @Override
  public List<Part> next(long clockMs) {
    String key = key();
    String other = key();
    return List.of(
        new Part(TopicNames.ALL.of(Topic.EVENTS), key, happened(key, clockMs)),
        new Part(TopicNames.ALL.of(Topic.SCHEDULED), other, orders(other, clockMs)));
  }

  @Override
  public List<Part> last(long clockMs) {
    return keys.stream()
        .map(key -> new Part(TopicNames.ALL.of(Topic.SCHEDULED), key, cancelAll(key)))
        .toList();
  }

  /** A key; the first ones often, the last ones seldom. */
  private String key() {
    double skewed = random.nextDouble() * random.nextDouble();
    return keys.get((int) (skewed * KEYS));
  }

  /** Events that happened, of keys of one partition. */
  private List<Event> happened(String key, long clockMs) {
    List<String> together = keysByPartition.get(SensorPartition.of(key));
    List<Event> events = new ArrayList<>();
    for (int left = random.nextInt(6); left >= 0; left--) {
      String of = random.nextBoolean() ? key : together.get(random.nextInt(together.size()));
      Event.Builder event = event(of).setType("said").setTimestampMs(timestampMs(clockMs));
      if (random.nextInt(20) == 0) {
        event.setExpiresMs(clockMs + random.nextInt(4_000) - 100);
      }
      events.add(event.build());
    }
    return events;
  }

  private long timestampMs(long clockMs) {
    return switch (random.nextInt(200)) {
      case 0 -> 0;
      case 1 -> clockMs + AN_HOUR_MS;
      case 2, 3, 4, 5 -> clockMs + random.nextInt(20_000);
      default -> clockMs - random.nextInt(3_000);
    };
  }

  private Event.Builder event(String key) {
    Event.Builder event = Event.newBuilder().setKey(key);
    if (random.nextInt(4) > 0) {
      event.setSubject("subject-" + random.nextInt(7));
    }
    event.putFields("n", Value.newBuilder().setInt64Value(number++).build());
    for (int left = random.nextInt(3); left > 0; left--) {
      event.putFields("f" + random.nextInt(FIELDS), value());
    }
    return event;
  }

  private Value value() {
    Value.Builder value = Value.newBuilder();
    return switch (random.nextInt(6)) {
      case 0 -> value.setDoubleValue(random.nextGaussian()).build();
      case 1 -> value.setInt64Value(random.nextInt(5)).build();
      case 2 -> value.setBoolValue(random.nextBoolean()).build();
      case 3 -> value.setStringValue("t\u00e9xt " + random.nextInt(9)).build();
      case 4 -> value.setBytesValue(ByteString.copyFrom(new byte[random.nextInt(4)])).build();
      default -> value.setNullValue(true).build();
    };
  }

  /** Orders of scheduled events of a key. */
  private List<Event> orders(String key, long clockMs) {
    List<Event> orders = new ArrayList<>();
    for (int left = random.nextInt(3); left >= 0; left--) {
      orders.add(order(key, clockMs));
    }
    return orders;
  }

  private Event order(String key, long clockMs) {
    Event.Builder order = event(key).setId("id-" + random.nextInt(IDS));
    if (random.nextBoolean()) {
      order.setTimestampMs(clockMs - random.nextInt(2_000));
    }
    if (random.nextInt(8) == 0) {
      order.setExpiresMs(clockMs + random.nextInt(16_000));
    }
    int chance = random.nextInt(100);
    if (chance < 15) {
      return order.setCancel(true).build();
    } else if (chance < 25) {
      return order
          .setType("repeats")
          .setDueMs(clockMs + random.nextInt(4_000) - 1_000)
          .setEveryMs(1_000 + random.nextInt(4_000))
          .build();
    } else if (chance < 35) {
      return order.setType("past").setDueMs(clockMs - random.nextInt(100_000)).build();
    } else if (chance < 42) {
      return order.setType("far").setDueMs(clockMs + AN_HOUR_MS + random.nextInt(9)).build();
    } else if (chance < 44) {
      return order.setType("wrong").setDueMs(clockMs).setEveryMs(999).build();
    } else if (chance < 46) {
      return order.setType("wrong").build();
    }
    return order
        .setType(EventCheck.scheduledOnce())
        .setDueMs(clockMs + 500 + random.nextInt(12_000))
        .build();
  }

  /** What takes away every timer that there may be of a key. */
  private static List<Event> cancelAll(String key) {
    return IntStream.range(0, IDS)
        .mapToObj(id -> Event.newBuilder().setKey(key).setId("id-" + id).setCancel(true).build())
        .toList();
  }
}

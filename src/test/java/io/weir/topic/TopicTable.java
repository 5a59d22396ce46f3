package io.weir.topic;

import io.weir.internal.time.DurationText;
import io.weir.topic.Topic.RecordKey;
import io.weir.topic.Topic.User;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The topics as texts: for docs/reference/topics.md. */
public final class TopicTable {
  private TopicTable() {}

  /** A Markdown table of what is on each topic, and how long. */
  public static String markdown() {
    StringBuilder table =
        new StringBuilder(
            "| topic | key | value | partition | kept | with |\n|---|---|---|---|---|---|\n");
    for (Topic topic : Topic.values()) {
      table.append(
          "| `%s` | %s | `%s` | %s | %s | %s |\n"
              .formatted(
                  topic.defaultName(),
                  key(topic.key()),
                  topic.message().getDescriptorForType().getName(),
                  partition(topic),
                  kept(topic),
                  topic.switchedOnBy().map(name -> "`weir." + name + "`").orElse("")));
    }
    return table.toString();
  }

  /** A Markdown table of what is on each topic, and whose programs read and write it. */
  public static String users() {
    StringBuilder table =
        new StringBuilder("| topic | content | written by | read by |\n|---|---|---|---|\n");
    for (Topic topic : Topic.values()) {
      table.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  topic.defaultName(),
                  topic.content(),
                  named(topic::isOutputOf),
                  named(topic::isReadBy)));
    }
    return table.toString();
  }

  private static String named(Predicate<User> which) {
    return Stream.of(User.values())
        .filter(which)
        .map(TopicTable::name)
        .collect(Collectors.joining(", "));
  }

  private static String name(User user) {
    return switch (user) {
      case RUN -> "`weir run`";
      case GATEWAY -> "gateways";
      case OPERATOR -> "operators";
      case PUBLISHER -> "publishers of events";
      case EVENTS -> "`weir events`";
      case HANDLER -> "programs with handlers";
      case SINK -> "`weir sink`";
      case IMPORT -> "`weir import`";
      case SERVE -> "`weir serve`";
      case REDRIVE -> "`weir redrive`";
    };
  }

  private static String key(RecordKey key) {
    return switch (key) {
      case GATEWAY_ID -> "gateway id";
      case SENSOR_ID -> "sensor id";
      case WINDOW -> "`WindowKey`";
      case AS_RECEIVED -> "as received";
      case EVENT_KEY -> "the events' key";
      case GROUP -> "group";
    };
  }

  private static String partition(Topic topic) {
    if (topic.partitions() == 1) {
      return "0";
    }
    return topic.isOfSensors()
        ? "the sensor's"
        : topic.key() == RecordKey.GROUP ? "the group's" : "the key's";
  }

  private static String kept(Topic topic) {
    String time = topic.retention().map(kept -> DurationText.format(kept.time())).orElse("");
    if (topic.isCompacted()) {
      return "the newest of each key" + (time.isEmpty() ? "" : ", " + time);
    }
    return time.isEmpty() ? "for ever" : time;
  }
}

package io.weir.internal.app;

import static io.weir.internal.app.ValueType.bytesOrUnlimited;
import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.topicName;
import static io.weir.internal.app.ValueType.wholeNumber;

import io.weir.internal.time.DurationText;
import io.weir.topic.Topic;
import io.weir.topic.Topic.Retention;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicOptions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings of each {@link Topic}: a part of the catalogue {@link Keys}. */
public final class TopicKeys {
  private static final Map<Topic, Key<String>> NAME = new EnumMap<>(Topic.class);
  private static final Map<Topic, Key<Duration>> TIME = new EnumMap<>(Topic.class);
  private static final Map<Topic, Key<Long>> BYTES = new EnumMap<>(Topic.class);

  private static final Key.Group NAMES = new Key.Group();
  private static final Key.Group RETENTIONS = new Key.Group();
  private static final Key.Group CHANGELOGS = new Key.Group();

  static final Key<Long> CHANGELOG_SEGMENT_BYTES =
      CHANGELOGS.of(
          "changelog.segment.bytes",
          wholeNumber("bytes", 1 << 20, Integer.MAX_VALUE),
          String.valueOf(TopicOptions.Changelog.DEFAULT.segmentBytes()),
          "segment.bytes of changelogs: the newest segment is not compacted; Confluent Cloud"
              + " requires 52428800");
  static final Key<Duration> CHANGELOG_SEGMENT_TIME =
      CHANGELOGS.of(
          "changelog.segment.time",
          duration("1m"),
          DurationText.format(TopicOptions.Changelog.DEFAULT.segmentTime()),
          "segment.ms of changelogs");
  static final Key<Duration> CHANGELOG_COMPACTION_LAG =
      CHANGELOGS.of(
          "changelog.compaction.lag",
          duration("1m"),
          DurationText.format(TopicOptions.Changelog.DEFAULT.compactionLag()),
          "max.compaction.lag.ms of changelogs: compaction begins at the latest then");

  static {
    for (Topic topic : Topic.values()) {
      NAME.put(
          topic,
          NAMES.of(
              "topic." + topic.text(),
              topicName(),
              topic.defaultName(),
              "name of the topic with " + topic.content()));
      topic.retention().ifPresent(retention -> addRetention(topic, retention));
    }
  }

  static final List<Key<?>> ALL =
      Stream.of(NAMES, RETENTIONS, CHANGELOGS).flatMap(keys -> keys.all().stream()).toList();

  private TopicKeys() {}

  private static void addRetention(Topic topic, Retention byDefault) {
    String name = "topic." + topic.text() + ".retention";
    TIME.put(
        topic,
        RETENTIONS.of(
            name,
            duration("1m"),
            DurationText.format(byDefault.time()),
            "retention.ms of the " + topic.text() + " topic, set by weir topics"));
    BYTES.put(
        topic,
        RETENTIONS.of(
            name + ".bytes",
            bytesOrUnlimited(),
            String.valueOf(byDefault.bytesPerPartition()),
            "retention.bytes of the "
                + topic.text()
                + " topic, set by weir topics, for each of its 64 partitions; -1: no limit"));
  }

  /** Whether a key is the name of a topic. */
  static boolean isName(Key<?> key) {
    return NAME.containsValue(key);
  }

  /** The key of a topic's name. */
  public static Key<String> name(Topic topic) {
    return NAME.get(topic);
  }

  /** Whether a topic is enabled, by settings or always. */
  static boolean isOn(Settings settings, Topic topic) {
    return topic.switchedOnBy().map(settings::isChanged).orElse(true)
        && topic.latestOf().map(settings.get(OutputKeys.LATEST_OF)::contains).orElse(true);
  }

  /** Keys of a command, followed by the keys of topic names. */
  public static Key<?>[] with(List<Key<?>> others, Topic... topics) {
    return with(others, Stream.of(topics));
  }

  /** The same for the topics that these users read or write. */
  public static Key<?>[] with(List<Key<?>> others, User... users) {
    return with(others, Stream.of(users).flatMap(Topic::of).distinct());
  }

  private static Key<?>[] with(List<Key<?>> others, Stream<Topic> topics) {
    return Stream.of(others.stream(), Stream.of(Keys.PLANT), topics.map(TopicKeys::name))
        .flatMap(keys -> keys)
        .toArray(Key<?>[]::new);
  }

  /** The retention key of a topic; empty if it has no retention. */
  static Retention retention(Settings settings, Topic topic) {
    return new Retention(settings.get(TIME.get(topic)), settings.get(BYTES.get(topic)));
  }
}

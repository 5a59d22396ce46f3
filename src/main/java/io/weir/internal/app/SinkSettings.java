package io.weir.internal.app;

import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings of the sink.
 *
 * @param url JDBC URL of the database; empty if not set
 * @param user the role that owns the tables; empty for the driver's default
 * @param password of that role
 * @param topics the topics to write
 * @param batchRows records after which a transaction is written, at least 1
 * @param flushInterval time after its first record after which a transaction is written
 * @param retention how long rows stay in partitioned tables; empty for ever
 * @param rejectsRetention how long rejected records stay
 */
public record SinkSettings(
    Optional<String> url,
    Optional<String> user,
    Optional<String> password,
    List<Topic> topics,
    int batchRows,
    Duration flushInterval,
    Optional<Duration> retention,
    Duration rejectsRetention) {
  /** Topics that are written only if they are named: they may have many readings. */
  public static final List<Topic> ON_REQUEST = List.of(Topic.LATE, Topic.DEAD_LETTERS);

  private static final List<Topic> WRITABLE =
      Stream.concat(Topic.readBy(User.SINK), ON_REQUEST.stream()).toList();

  /** The names in settings of the topics that can be written. */
  static String[] words() {
    return WRITABLE.stream().map(Topic::text).toArray(String[]::new);
  }

  static SinkSettings of(Settings settings, TopicNames names) {
    return new SinkSettings(
        settings.find(SinkKeys.JDBC_URL),
        settings.find(SinkKeys.JDBC_USER),
        settings.find(SinkKeys.JDBC_PASSWORD),
        topics(settings, names),
        settings.get(SinkKeys.BATCH_ROWS),
        settings.get(SinkKeys.FLUSH_INTERVAL),
        settings.find(SinkKeys.RETENTION),
        settings.get(SinkKeys.REJECTS_RETENTION));
  }

  private static List<Topic> topics(Settings settings, TopicNames names) {
    Optional<List<String>> chosen = settings.find(SinkKeys.TOPICS);
    List<Topic> topics =
        WRITABLE.stream()
            .filter(
                topic ->
                    chosen
                        .map(words -> words.contains(topic.text()))
                        .orElse(names.topics().contains(topic) && !ON_REQUEST.contains(topic)))
            .toList();
    for (Topic topic : topics) {
      if (!names.topics().contains(topic)) {
        throw settings.refusal(
            SinkKeys.TOPICS, topic.text() + " is not enabled; expected: enabled topics");
      }
    }
    return topics;
  }

  /**
   * The database.
   *
   * @throws ConfigException if it is not set
   */
  public String requiredUrl() {
    return url.orElseThrow(
        () ->
            new ConfigException(
                SinkKeys.JDBC_URL.propertyName()
                    + " is not set: expected: "
                    + SinkKeys.JDBC_URL.type().allowed()));
  }

  /** The URL and topics; without the password. */
  @Override
  public String toString() {
    return "SinkSettings[url=%s, topics=%s]".formatted(url.orElse("none"), topics);
  }
}

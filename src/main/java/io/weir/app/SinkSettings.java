package io.weir.app;

import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where and how topics are written to PostgreSQL.
 *
 * @param url the database, by JDBC; empty where there is none
 * @param user the role that owns the tables; empty for the driver's default
 * @param password of that role
 * @param topics that are written
 * @param batchRows records after which a transaction is written, at least 1
 * @param flushInterval time after its first record when a transaction is written, full or not
 * @param retention how long rows stay in partitioned tables; empty for ever
 */
public record SinkSettings(
    Optional<String> url,
    Optional<String> user,
    Optional<String> password,
    List<Topic> topics,
    int batchRows,
    Duration flushInterval,
    Optional<Duration> retention) {
  private static final List<Topic> WRITABLE = Topic.readBy(User.SINK).toList();

  /** What topics that can be written are called in settings. */
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
        settings.find(SinkKeys.RETENTION));
  }

  private static List<Topic> topics(Settings settings, TopicNames names) {
    Optional<List<String>> chosen = settings.find(SinkKeys.TOPICS);
    List<Topic> topics =
        WRITABLE.stream()
            .filter(
                topic ->
                    chosen
                        .map(words -> words.contains(topic.text()))
                        .orElse(names.topics().contains(topic)))
            .toList();
    for (Topic topic : topics) {
      if (!names.topics().contains(topic)) {
        throw settings.refusal(
            SinkKeys.TOPICS, topic.text() + " is not switched on; expected: what is");
      }
    }
    return topics;
  }

  /**
   * The database.
   *
   * @throws ConfigException if none is set
   */
  public String requiredUrl() {
    return url.orElseThrow(
        () ->
            new ConfigException(
                SinkKeys.JDBC_URL.propertyName()
                    + " is not set: expected: "
                    + SinkKeys.JDBC_URL.type().allowed()));
  }

  /** Names the database; the password is not shown. */
  @Override
  public String toString() {
    return "SinkSettings[url=%s, topics=%s]".formatted(url.orElse("none"), topics);
  }
}

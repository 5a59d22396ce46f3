package io.weir.internal.deadletter;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;

/**
 * The life of a partition's state, and where it began to read. As text {@code life@offset@topic
 * id}.
 *
 * @param firstOffset the first record that it read
 * @param topicId of the topic of that record
 */
public record RunningLife(Life life, long firstOffset, Uuid topicId) {
  private static final Pattern TEXT =
      Pattern.compile("([0-9a-f]{16})@([0-9]{1,18})@([A-Za-z0-9_-]{22})");

  /** Whether it has never read a record: other lives may have. */
  public boolean isBehind(Uuid ofTopic, long offset) {
    return topicId.equals(ofTopic) && !topicId.equals(Uuid.ZERO_UUID) && offset < firstOffset;
  }

  /** Parses the text; empty if it is invalid. */
  public static Optional<RunningLife> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? Life.parse(parts.group(1))
            .map(
                life ->
                    new RunningLife(
                        life, Long.parseLong(parts.group(2)), Uuid.fromString(parts.group(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return life + "@" + firstOffset + "@" + topicId;
  }
}

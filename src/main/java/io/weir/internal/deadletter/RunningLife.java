package io.weir.internal.deadletter;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;

/**
 * The life of a partition's state, and what it has not read. As text {@code life@topic id@unread}.
 *
 * @param topicId of the topic of the last record that it read
 */
public record RunningLife(Life life, Uuid topicId, UnreadOffsets unread) {
  private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16})@([A-Za-z0-9_-]{22})@(.*)");

  /**
   * Whether it has read a record, or may have.
   *
   * @param ofTopic id of the record's topic; {@link Uuid#ZERO_UUID} where it is not known
   * @param offset of the record; negative where it is not known
   */
  public UnreadOffsets.Answer hasRead(Uuid ofTopic, long offset) {
    boolean sameTopic = topicId.equals(ofTopic) && !topicId.equals(Uuid.ZERO_UUID);
    return sameTopic && offset >= 0 ? unread.at(offset) : UnreadOffsets.Answer.NOT_KNOWN;
  }

  /** Whether its state has judged a record as a life did: it is that life, or goes on with it. */
  public boolean judgedAs(Life one, long offset) {
    return life.equals(one) || offset >= 0 && unread.kept(one, offset);
  }

  /** Parses the text; empty if it is invalid. */
  public static Optional<RunningLife> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? UnreadOffsets.parse(parts.group(3))
            .flatMap(
                unread ->
                    Life.parse(parts.group(1))
                        .map(
                            life -> new RunningLife(life, Uuid.fromString(parts.group(2)), unread)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return life + "@" + topicId + "@" + unread;
  }
}

package io.weir.cli;

import io.weir.topic.Topic;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The records that can be sent again. */
enum RedriveKind {
  LATE(Topic.LATE),
  DEAD_LETTERS(Topic.DEAD_LETTERS);

  private final Topic topic;

  RedriveKind(Topic topic) {
    this.topic = topic;
  }

  /** The topic of these records. */
  Topic topic() {
    return topic;
  }

  /** Converts an argument. */
  static final class Converter implements ITypeConverter<RedriveKind> {
    @Override
    public RedriveKind convert(String text) {
      return Stream.of(values())
          .filter(kind -> kind.topic.text().equals(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException(text + ": expected: late or dead-letters"));
    }
  }

  /** The argument. */
  @Override
  public String toString() {
    return topic.text();
  }
}

package io.weir.cli;

import io.weir.topic.TopicNames;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The records that can be sent again. */
enum RedriveKind {
  LATE("late", TopicNames::late),
  DEAD_LETTERS("dead-letters", TopicNames::deadLetters);

  private final String text;
  private final Function<TopicNames, String> topic;

  RedriveKind(String text, Function<TopicNames, String> topic) {
    this.text = text;
    this.topic = topic;
  }

  /** The topic's name on a cluster. */
  String topic(TopicNames names) {
    return topic.apply(names);
  }

  /** A kind as one types it. */
  static final class Converter implements ITypeConverter<RedriveKind> {
    @Override
    public RedriveKind convert(String text) {
      return Stream.of(values())
          .filter(kind -> kind.text.equals(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException(text + ": allowed is late or dead-letters"));
    }
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return text;
  }
}

package io.weir.cli;

import io.weir.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the name of a topic, such as dead-letters. */
final class TopicArgument implements ITypeConverter<Topic> {
  /** All names, for a command's help. */
  static final class Candidates extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Candidates() {
      super(texts());
    }
  }

  @Override
  public Topic convert(String text) {
    return Stream.of(Topic.values())
        .filter(topic -> topic.text().equals(text))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException(text + ": expected: " + allowed()));
  }

  private static String allowed() {
    List<String> texts = texts();
    int last = texts.size() - 1;
    return String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
  }

  private static List<String> texts() {
    return Stream.of(Topic.values()).map(Topic::text).toList();
  }
}

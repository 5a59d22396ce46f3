package io.weir.internal.registry;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The naming strategies of subjects, by the names of Confluent's classes, with or without their
 * package.
 */
public enum SubjectNames {
  /** {@code <topic>-value}, {@code <topic>-key}. */
  TOPIC("TopicNameStrategy") {
    @Override
    String of(String topic, boolean key, String message) {
      return topic + (key ? "-key" : "-value");
    }
  },
  /** The message's full name. */
  RECORD("RecordNameStrategy") {
    @Override
    String of(String topic, boolean key, String message) {
      return message;
    }
  },
  /** {@code <topic>-<the message's full name>}. */
  TOPIC_RECORD("TopicRecordNameStrategy") {
    @Override
    String of(String topic, boolean key, String message) {
      return topic + "-" + message;
    }
  };

  private final String className;

  SubjectNames(String className) {
    this.className = className;
  }

  /**
   * The subject of a message on a topic.
   *
   * @param message its full name
   */
  abstract String of(String topic, boolean key, String message);

  /**
   * @throws IllegalArgumentException for an unknown class
   */
  static SubjectNames named(String className) {
    String simple = className.substring(className.lastIndexOf('.') + 1);
    return Arrays.stream(values())
        .filter(names -> names.className.equals(simple))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(className + ": expected: " + allowed()));
  }

  static String allowed() {
    return Arrays.stream(values()).map(names -> names.className).collect(Collectors.joining(", "));
  }
}

package io.weir.internal.input.mqtt;

import java.util.Arrays;

/** Levels of a topic. */
final class TopicParts {
  private TopicParts() {}

  /** The part of a sensor id that is the topic or a level of it; null for others. */
  static String part(String topic, String name, String argument) {
    return !name.equals("topic") ? null : argument.isEmpty() ? topic : of(topic, argument);
  }

  /**
   * A level, or all from one on.
   *
   * @param which {@code N} from 1, {@code -N} from the end, or {@code N-}
   * @return null if the topic has no such level
   */
  static String of(String topic, String which) {
    String[] levels = topic.split("/", -1);
    boolean rest = which.length() > 1 && which.endsWith("-");
    String digits = rest ? which.substring(0, which.length() - 1) : which;
    if (!digits.matches("-?[1-9][0-9]{0,4}")) {
      return null;
    }
    int number = Integer.parseInt(digits);
    int at = number > 0 ? number - 1 : levels.length + number;
    if (at < 0 || at >= levels.length) {
      return null;
    }
    return rest ? String.join("/", Arrays.asList(levels).subList(at, levels.length)) : levels[at];
  }
}

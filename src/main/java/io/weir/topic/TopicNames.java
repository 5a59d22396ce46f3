package io.weir.topic;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What Weir's topics are called: five different legal names.
 *
 * @param readings batches of readings, as gateways send them
 * @param windows summaries of windows
 * @param late readings that came after their window was evicted
 * @param deadLetters what could not be decoded or must not be accepted
 * @param control orders of the operators
 */
public record TopicNames(
    String readings, String windows, String late, String deadLetters, String control) {
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  public static final TopicNames DEFAULT =
      new TopicNames("weir.readings", "weir.windows", "weir.late", "weir.dead-letters");

  /** With the default name of the topic that operators write to. */
  public TopicNames(String readings, String windows, String late, String deadLetters) {
    this(readings, windows, late, deadLetters, "weir.control");
  }

  /**
   * @throws IllegalArgumentException if a name is not legal or stands twice
   */
  public TopicNames {
    List<String> names = List.of(readings, windows, late, deadLetters, control);
    for (String name : names) {
      if (!isLegal(name)) {
        throw new IllegalArgumentException("no legal topic name: " + name);
      }
    }
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException("a topic name stands twice: " + names);
    }
  }

  /** The four that have the sensors' partitions, readings first. */
  public List<String> ofSensors() {
    return List.of(readings, windows, late, deadLetters);
  }

  /** All, readings first. */
  public List<String> all() {
    return List.of(readings, windows, late, deadLetters, control);
  }

  /** Where it is kept which letters of a topic were sent again. */
  public static String redriven(String letters) {
    return letters + ".redriven";
  }

  /** Whether Kafka takes that name for a topic. */
  public static boolean isLegal(String name) {
    return LEGAL.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }
}

package io.weir.topic;

/**
 * A difference between a topic and its plan. {@link #toString()} is one line for operators.
 *
 * @param topic its name
 * @param severity whether the application can run despite it
 * @param found the cluster's value
 * @param expected the planned value
 * @param remedy the remedy
 */
public record TopicDifference(
    String topic, Severity severity, String found, String expected, String remedy) {
  /** What is found of a topic that does not exist. */
  static final String MISSING = "no such topic";

  /** What is found of a topic that the user may not describe. */
  static final String HIDDEN = "no right to describe it";

  /** What a difference means for the application. */
  public enum Severity {
    /** Results would be wrong: the application does not start. */
    FATAL,
    /** The application runs with a risk. */
    WARNING,
    /** Only a cost: the state takes more disk and is restored later. */
    NOTE
  }

  public boolean isFatal() {
    return severity == Severity.FATAL;
  }

  /** Whether nothing is known of the topic's settings, as it is missing or hidden. */
  public boolean isWithoutSettings() {
    return found.equals(MISSING) || found.equals(HIDDEN);
  }

  /** Whether it is only a cost: a managed cloud may permit nothing else. */
  public boolean isNote() {
    return severity == Severity.NOTE;
  }

  @Override
  public String toString() {
    return "topic " + topic + ": found " + found + ", expected " + expected + "; " + remedy;
  }
}

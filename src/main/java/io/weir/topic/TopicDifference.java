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
  /** What a difference means for the application. */
  public enum Severity {
    /** Results would be wrong: the application does not start. */
    FATAL,
    /** The application runs with a risk. */
    WARNING
  }

  public boolean isFatal() {
    return severity == Severity.FATAL;
  }

  @Override
  public String toString() {
    return "topic " + topic + ": found " + found + ", expected " + expected + "; " + remedy;
  }
}

package io.weir.topic;

/**
 * Something about a topic that is not as planned. {@link #toString()} is one line for a person.
 *
 * @param topic its name
 * @param severity whether the application can run all the same
 * @param found what the cluster says
 * @param expected what the plan says
 * @param remedy what to do
 */
public record TopicDifference(
    String topic, Severity severity, String found, String expected, String remedy) {
  /** What a difference means for the application. */
  public enum Severity {
    /** Results would be wrong: the application does not start. */
    FATAL,
    /** It runs, with a risk. */
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

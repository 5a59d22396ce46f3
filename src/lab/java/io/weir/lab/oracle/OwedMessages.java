package io.weir.lab.oracle;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Messages that must be on a topic, and those that do: how often each of the same content. What is
 * evened out needs no memory. One thread.
 *
 * @param <M> compared as a whole
 */
final class OwedMessages<M extends Message> {
  private final String what;
  private final Function<M, String> name;
  private final Map<M, Long> owed = new HashMap<>();
  private long expected;
  private long found;

  /**
   * @param name unique, so that a second message of the same name is reported as wrong
   */
  OwedMessages(String what, Function<M, String> name) {
    this.what = what;
    this.name = name;
  }

  void expect(M message) {
    expected++;
    count(message, 1);
  }

  void found(M message) {
    found++;
    count(message, -1);
  }

  /** So many more are due than were found, or fewer. */
  void add(M message, long times) {
    count(message, times);
  }

  private void count(M message, long change) {
    owed.merge(message, change, (a, b) -> a + b == 0 ? null : a + b);
  }

  long expected() {
    return expected;
  }

  long found() {
    return found;
  }

  /** Whether each that must be there is, and no other. */
  boolean isEven() {
    return owed.isEmpty();
  }

  void report(Findings findings) {
    Map<String, M> lacking = new TreeMap<>();
    owed.forEach(
        (message, count) -> {
          if (count > 0) {
            lacking.put(name.apply(message), message);
          }
        });
    owed.forEach(
        (message, count) -> {
          if (count > 0) {
            return;
          }
          M lacks = lacking.remove(name.apply(message));
          if (lacks == null) {
            findings.doubled(-count, what + " " + text(message));
          } else {
            findings.wrongRecord(what + " is " + text(message) + ", must be " + text(lacks));
          }
        });
    lacking.values().forEach(lacks -> findings.lost(owed.get(lacks), what + " " + text(lacks)));
  }

  private static String text(Message message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message);
  }
}

package io.weir.lab.oracle;

import java.util.HashMap;
import java.util.Map;

/**
 * Readings or records that must be on a topic of refused or late ones, each under a name that says
 * where it came from: how often they must, and how often they do. One thread.
 */
final class DeadLetterCounts {
  private final String topic;
  private final Map<String, Long> owed = new HashMap<>();
  private long found;

  DeadLetterCounts(String topic) {
    this.topic = topic;
  }

  void expect(String name) {
    count(name, 1);
  }

  void found(String name) {
    found++;
    count(name, -1);
  }

  /** What is evened out needs no memory. */
  private void count(String name, long change) {
    owed.merge(name, change, (a, b) -> a + b == 0 ? null : a + b);
  }

  long found() {
    return found;
  }

  void report(Findings findings) {
    owed.forEach(
        (name, count) -> {
          if (count > 0) {
            findings.lost(count, topic + ", offset and reading " + name);
          } else {
            findings.doubled(-count, topic + ", offset and reading " + name);
          }
        });
  }
}

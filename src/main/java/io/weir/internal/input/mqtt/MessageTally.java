package io.weir.internal.input.mqtt;

import java.util.Map;
import java.util.TreeMap;

/** What became of the readings of a message beside the accepted ones. Not thread-safe. */
final class MessageTally {
  final Map<String, Integer> refused = new TreeMap<>();
  final Map<String, Integer> skipped = new TreeMap<>();
  int withArrivalTime;

  void refuse(String reason) {
    refused.merge(reason, 1, Integer::sum);
  }

  void skip(String kind) {
    skipped.merge(kind, 1, Integer::sum);
  }

  static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}

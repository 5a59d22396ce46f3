package io.weir.lab.hostile;

import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ids of one partition, made as they are asked for. One thread. */
final class HostileIds {
  private final int partition;
  private final List<String> found = new ArrayList<>();
  private final Map<Integer, String> ofBytes = new HashMap<>();
  private int next;

  HostileIds(int partition) {
    this.partition = partition;
  }

  String get(int number) {
    while (found.size() <= number) {
      String id = "hostile/" + next++;
      if (SensorPartition.of(id) == partition) {
        found.add(id);
      }
    }
    return found.get(number);
  }

  /** So long that it has so many bytes, and of the partition. */
  String ofBytes(int bytes) {
    return ofBytes.computeIfAbsent(bytes, this::find);
  }

  private String find(int bytes) {
    String fill = "h".repeat(bytes - 4);
    for (int suffix = 1000; ; suffix++) {
      if (SensorPartition.of(fill + suffix) == partition) {
        return fill + suffix;
      }
    }
  }
}

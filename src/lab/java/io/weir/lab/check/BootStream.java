package io.weir.lab.check;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The sequences of one gateway, boot and partition. One thread. */
final class BootStream {
  private final Map<Long, Copy> bySequence = new HashMap<>();
  private long highest;

  /** The first copy of a sequence; null where it did not come before. */
  Copy first(long sequence) {
    return bySequence.get(sequence);
  }

  void add(long sequence, Copy copy) {
    bySequence.put(sequence, copy);
    highest = Math.max(highest, sequence);
  }

  /** The largest sequence so far; 0 before the first. */
  long highest() {
    return highest;
  }

  long size() {
    return bySequence.size();
  }

  /**
   * A hole in the sequences from 1 to the highest.
   *
   * @param missing the first sequence that is not there
   * @param next the first one that is there after it
   * @param offset of the record with {@code next}
   */
  record Gap(long missing, long next, long offset) {}

  /** The first hole; empty where there is none. */
  Optional<Gap> firstGap() {
    if (highest == bySequence.size()) {
      return Optional.empty();
    }
    long missing = 1;
    while (bySequence.containsKey(missing)) {
      missing++;
    }
    long firstMissing = missing;
    return bySequence.keySet().stream()
        .filter(sequence -> sequence > firstMissing)
        .min(Comparator.naturalOrder())
        .map(next -> new Gap(firstMissing, next, bySequence.get(next).offset()));
  }
}

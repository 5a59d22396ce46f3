package io.weir.reading;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A gateway's sequences as the design describes them: sets that hold everything ever applied. */
final class NaiveGateway {
  private final TreeMap<Long, Set<Long>> kept = new TreeMap<>();
  private final Map<Long, Set<Long>> evicted = new HashMap<>();
  private long fence;

  BatchVerdict judge(long bootId, long sequence) {
    Set<Long> applied = kept.get(bootId);
    if (applied == null) {
      if (bootId <= fence) {
        return BatchVerdict.FENCED;
      }
      return sequence > (1 << 20) ? BatchVerdict.INVALID_SEQUENCE : BatchVerdict.NEW;
    }
    long highest = applied.stream().mapToLong(Long::longValue).max().orElseThrow();
    if (sequence - highest > 1 << 20) {
      return BatchVerdict.INVALID_SEQUENCE;
    }
    if (sequence < highest - 1024) {
      return BatchVerdict.STALE;
    }
    return applied.contains(sequence) ? BatchVerdict.DUPLICATE : BatchVerdict.NEW;
  }

  void apply(long bootId, long sequence) {
    kept.computeIfAbsent(bootId, id -> new HashSet<>()).add(sequence);
    if (kept.size() > 4) {
      Map.Entry<Long, Set<Long>> oldest = kept.pollFirstEntry();
      evicted.put(oldest.getKey(), oldest.getValue());
      fence = oldest.getKey();
    }
  }

  /** Of every boot the sequences below its highest that were never applied. */
  long lost() {
    return kept.values().stream().mapToLong(NaiveGateway::lost).sum()
        + evicted.values().stream().mapToLong(NaiveGateway::lost).sum();
  }

  private static long lost(Set<Long> applied) {
    return applied.stream().mapToLong(Long::longValue).max().orElse(0) - applied.size();
  }

  long highest(long bootId) {
    Set<Long> applied = kept.get(bootId);
    return applied == null ? 0 : applied.stream().mapToLong(Long::longValue).max().orElse(0);
  }
}

package io.weir.reading;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A gateway's sequences as the design describes them: sets that hold everything ever applied. */
final class NaiveGateway {
  private final TreeMap<Long, Set<Long>> kept = new TreeMap<>();
  private final Map<Long, Set<Long>> evicted = new HashMap<>();

  /** Sequences of each boot that nobody knows: those below this one that were not applied. */
  private final Map<Long, Long> floors = new HashMap<>();

  private final Map<Long, Long> lostBelowFloor = new HashMap<>();
  private final Set<Long> cut = new HashSet<>();
  private long fence;

  BatchVerdict judge(long bootId, long sequence) {
    return judge(bootId, sequence, false);
  }

  BatchVerdict judge(long bootId, long sequence, boolean isCut) {
    Set<Long> applied = kept.get(bootId);
    if (applied == null) {
      if (bootId <= fence) {
        return BatchVerdict.FENCED;
      }
      return !isCut && sequence > (1 << 20) ? BatchVerdict.INVALID_SEQUENCE : BatchVerdict.NEW;
    }
    long highest = applied.stream().mapToLong(Long::longValue).max().orElseThrow();
    if (!cut.contains(bootId) && sequence - highest > 1 << 20) {
      return BatchVerdict.INVALID_SEQUENCE;
    }
    if (sequence < highest - 1024) {
      return BatchVerdict.STALE;
    }
    if (applied.contains(sequence)) {
      return BatchVerdict.DUPLICATE;
    }
    return sequence < floors.getOrDefault(bootId, 0L) ? BatchVerdict.STALE : BatchVerdict.NEW;
  }

  /** Some records behind this were deleted. */
  void cut() {
    for (Long bootId : kept.keySet()) {
      lostBelowFloor.put(bootId, lost(bootId, kept.get(bootId)));
      floors.put(bootId, highest(bootId));
      cut.add(bootId);
    }
  }

  void apply(long bootId, long sequence) {
    apply(bootId, sequence, false);
  }

  void apply(long bootId, long sequence, boolean isCut) {
    if (kept.containsKey(bootId) ? cut.remove(bootId) : isCut) {
      floors.put(bootId, sequence);
    }
    kept.computeIfAbsent(bootId, id -> new HashSet<>()).add(sequence);
    if (kept.size() > 4) {
      Map.Entry<Long, Set<Long>> oldest = kept.pollFirstEntry();
      evicted.put(oldest.getKey(), oldest.getValue());
      fence = oldest.getKey();
    }
  }

  /** Of every boot the sequences below its highest that are known to be missing. */
  long lost() {
    return Stream.of(kept, evicted)
        .flatMap(boots -> boots.entrySet().stream())
        .mapToLong(boot -> lost(boot.getKey(), boot.getValue()))
        .sum();
  }

  /** Below the floor: what was known to be missing when it became the floor. */
  private long lost(long bootId, Set<Long> applied) {
    long floor = floors.getOrDefault(bootId, 0L);
    long highest = applied.stream().mapToLong(Long::longValue).max().orElse(0);
    long came = applied.stream().filter(sequence -> sequence > floor).count();
    return lostBelowFloor.getOrDefault(bootId, 0L) + highest - floor - came;
  }

  long highest(long bootId) {
    Set<Long> applied = kept.get(bootId);
    return applied == null ? 0 : applied.stream().mapToLong(Long::longValue).max().orElse(0);
  }
}

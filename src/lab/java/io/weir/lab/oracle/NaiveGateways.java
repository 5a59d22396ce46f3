package io.weir.lab.oracle;

import io.weir.reading.RejectReason;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a partition remembers of the gateways that sent to it, written from the design alone. */
final class NaiveGateways {
  private static final long MAX_JUMP = 1 << 20;
  private static final int REMEMBERED = 1024;
  private static final int BOOTS_KEPT = 4;

  private final NaiveRules rules;
  private final Map<String, Gateway> byId = new HashMap<>();
  private long cutBeforeMs = Long.MIN_VALUE;

  private static final class Gateway {
    /** The sequences of each boot that is kept. */
    final TreeMap<Long, Set<Long>> boots = new TreeMap<>();

    /** Up to which sequence of a boot nobody knows any more what came. */
    final Map<Long, Long> floors = new HashMap<>();

    /** Boots of which records may have been deleted behind the highest sequence. */
    final Set<Long> cut = new HashSet<>();

    long fencedThrough;
    long lastAppliedMs;

    long highest(long boot) {
      return boots.getOrDefault(boot, Set.of()).stream()
          .mapToLong(Long::longValue)
          .max()
          .orElse(floors.getOrDefault(boot, 0L));
    }
  }

  NaiveGateways(NaiveRules rules) {
    this.rules = rules;
  }

  /** What is known of a gateway at a log time: nothing, mostly, after a long silence. */
  private Gateway at(String id, long logMs) {
    Gateway known = byId.get(id);
    if (known == null) {
      return new Gateway();
    }
    markIfSilent(known, logMs);
    return known;
  }

  /** Whether a batch is too far ahead of the highest sequence of its boot. */
  boolean jumps(String id, long boot, long sequence, long logMs) {
    Gateway gateway = at(id, logMs);
    return boot > gateway.fencedThrough
        && !isCut(gateway, boot)
        && sequence > gateway.highest(boot) + MAX_JUMP;
  }

  /**
   * Records were deleted unread: what came of the boots before is known, what is missing is not.
   *
   * @param beforeMs the deleted records were appended before this
   */
  void cut(long beforeMs) {
    cutBeforeMs = Math.max(cutBeforeMs, beforeMs);
    for (Gateway gateway : byId.values()) {
      for (Long boot : gateway.boots.keySet()) {
        gateway.floors.put(boot, gateway.highest(boot));
        gateway.cut.add(boot);
      }
    }
  }

  /** Whether sequences before the next one of a boot may have been deleted. */
  private boolean isCut(Gateway gateway, long boot) {
    return gateway.boots.containsKey(boot) ? gateway.cut.contains(boot) : boot >> 20 < cutBeforeMs;
  }

  /** Why a sequenced batch that is not remembered is refused; null where it is not. */
  RejectReason refusal(String id, long boot, long sequence, long appendMs, long logMs) {
    Gateway gateway = at(id, logMs);
    if (boot >> 20 > appendMs + rules.maxFutureSkewMs()) {
      return RejectReason.FUTURE_BOOT;
    }
    if (!byId.containsKey(id) && isFull() && oldestMark(logMs) == null) {
      return RejectReason.TOO_MANY_GATEWAYS;
    }
    if (boot <= gateway.fencedThrough) {
      return RejectReason.FENCED;
    }
    boolean stale =
        sequence <= gateway.floors.getOrDefault(boot, 0L)
            || sequence < gateway.highest(boot) - REMEMBERED;
    return stale ? RejectReason.STALE_SEQUENCE : null;
  }

  /** The operators have ordered it: nothing is known of the gateway. */
  void reset(String id) {
    byId.remove(id);
  }

  /** Whether it is known that a batch was applied before. */
  boolean remembers(String id, long boot, long sequence, long logMs) {
    Gateway gateway = at(id, logMs);
    boolean wentBy = sequence < gateway.highest(boot) - REMEMBERED;
    return !wentBy && gateway.boots.getOrDefault(boot, Set.of()).contains(sequence);
  }

  /** Takes the sequence of a batch that is not refused, and was not there before. */
  void remember(String id, long boot, long sequence, long logMs) {
    if (!byId.containsKey(id) && isFull()) {
      byId.remove(oldestMark(logMs));
    }
    Gateway gateway = byId.computeIfAbsent(id, unknown -> new Gateway());
    if (isCut(gateway, boot)) {
      gateway.floors.put(boot, sequence - 1);
      gateway.cut.remove(boot);
    }
    gateway.boots.computeIfAbsent(boot, b -> new HashSet<>()).add(sequence);
    gateway.lastAppliedMs = logMs;
    if (gateway.boots.size() > BOOTS_KEPT) {
      gateway.fencedThrough = gateway.boots.pollFirstEntry().getKey();
    }
  }

  /**
   * Whether a sequence below one that was just remembered is missing and would be taken if it came.
   */
  boolean lacks(String id, long boot, long sequence) {
    Gateway gateway = byId.get(id);
    Set<Long> came = gateway.boots.get(boot);
    if (came == null) {
      return false;
    }
    long taken =
        Math.max(gateway.floors.getOrDefault(boot, 0L) + 1, gateway.highest(boot) - REMEMBERED);
    for (long below = taken; below < sequence; below++) {
      if (!came.contains(below)) {
        return true;
      }
    }
    return false;
  }

  private void markIfSilent(Gateway gateway, long logMs) {
    if (logMs - gateway.lastAppliedMs < rules.gatewayTtlMs()) {
      return;
    }
    long newest = gateway.boots.lastKey();
    long highest = gateway.highest(newest);
    gateway.boots.clear();
    gateway.boots.put(newest, new HashSet<>(Set.of(highest)));
    gateway.floors.put(newest, highest);
    gateway.fencedThrough = Math.max(gateway.fencedThrough, newest - 1);
  }

  private boolean isFull() {
    return byId.size() >= rules.maxGateways();
  }

  /** The one that has to go first; null where all are to be kept. */
  private String oldestMark(long logMs) {
    return byId.entrySet().stream()
        .filter(
            each ->
                logMs - each.getValue().lastAppliedMs
                    >= rules.gatewayTtlMs() + rules.gatewayMarkTtlMs())
        .min(
            Map.Entry.<String, Gateway>comparingByValue(
                    Comparator.comparingLong(gateway -> gateway.lastAppliedMs))
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }
}

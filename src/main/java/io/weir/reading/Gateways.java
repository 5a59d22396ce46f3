package io.weir.reading;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The gateways that have sent to one partition, and their changes since the last write. A gateway
 * that was idle for its TTL becomes a mark; marks are kept for at least the TTL of marks, and
 * longer while there is room. Not thread-safe.
 */
public final class Gateways {
  /**
   * A boot id is the clock time of the start in milliseconds, shifted left by this number of bits.
   */
  private static final int BOOT_TIME_SHIFT = 20;

  private static final long NOT_CUT = Long.MIN_VALUE;

  private final GatewayRules rules;
  private final Map<String, GatewaySequences> byId = new HashMap<>();
  private final Map<String, AppliedSequences> touched = new HashMap<>();
  private final OldestGateways oldestFirst = new OldestGateways();
  private final List<String> forgotten = new ArrayList<>();
  private final Map<String, Long> missingByGateway = new HashMap<>();
  private long lostForGood;
  private long missingChanges;
  private long nextSweepMs = Long.MIN_VALUE;

  private long cutBeforeMs = NOT_CUT;

  public Gateways(GatewayRules rules) {
    this.rules = rules;
  }

  /**
   * Records of the partition were deleted before they were read, or lost with a state. The next
   * sequence of each known boot may be any above its highest, and so may the first one of a boot
   * that may have sent before: which of those below were applied is unknown.
   *
   * @param beforeMs deleted records were appended, and their boots had started, before this
   */
  public void deletedUnread(long beforeMs) {
    restoreCut(beforeMs);
    byId.forEach(
        (id, gateway) -> {
          touched(id, gateway).addOther();
          long lostBefore = gateway.lostForGood();
          gateway.cut();
          lostForGood += gateway.lostForGood() - lostBefore;
          missingNow(id, 0);
        });
  }

  /** Restores before when records were deleted unread. */
  public void restoreCut(long beforeMs) {
    cutBeforeMs = Math.max(cutBeforeMs, beforeMs);
  }

  /** Before when records were deleted unread, in milliseconds; {@link Long#MIN_VALUE} if none. */
  public long cutBeforeMs() {
    return cutBeforeMs;
  }

  /** Whether the first records of a boot may have been deleted before they were read. */
  private boolean isCut(long bootId) {
    return bootId >>> BOOT_TIME_SHIFT < cutBeforeMs;
  }

  /**
   * Judges a batch as a whole. No visible side effects.
   *
   * @param latestMs the later of the batch's and the partition's newest append time, with which its
   *     boot id is compared
   * @param logMs log time of the batch
   */
  public BatchVerdict judge(
      BatchIdentity batch, String gatewayId, int maxIdBytes, long latestMs, long logMs) {
    long bootId = batch.bootId();
    long sequence = batch.sequence();
    boolean anonymous = batch.gatewayLength() == 0 && bootId != 0;
    if (anonymous || batch.gatewayLength() > maxIdBytes) {
      return BatchVerdict.INVALID_GATEWAY;
    }
    if (bootId < 0 || sequence < 0 || (bootId > 0 && sequence == 0)) {
      return BatchVerdict.INVALID_SEQUENCE;
    }
    if (bootId == 0) {
      return BatchVerdict.UNSEQUENCED;
    }
    GatewaySequences gateway = known(gatewayId, logMs);
    BatchVerdict verdict =
        gateway == null
            ? GatewaySequences.ofNewBoot(sequence, isCut(bootId))
            : gateway.judge(bootId, sequence, isCut(bootId));
    if (verdict == BatchVerdict.INVALID_SEQUENCE || verdict == BatchVerdict.DUPLICATE) {
      return verdict;
    }
    if ((bootId >>> BOOT_TIME_SHIFT) - rules.maxFutureBootMs() > latestMs) {
      return BatchVerdict.FUTURE_BOOT;
    }
    boolean full = gateway == null && byId.size() >= rules.maxGateways();
    return full && oldestMark(logMs) == null ? BatchVerdict.TOO_MANY_GATEWAYS : verdict;
  }

  /** The gateway at a log time, or null. */
  private GatewaySequences known(String gatewayId, long logMs) {
    GatewaySequences gateway = byId.get(gatewayId);
    if (gateway != null) {
      markIfSilent(gatewayId, gateway, logMs);
    }
    return gateway;
  }

  private void markIfSilent(String gatewayId, GatewaySequences gateway, long logMs) {
    if (gateway.lastAppliedMs() + rules.ttlMs() <= logMs && !gateway.isMark()) {
      touched(gatewayId, gateway).addOther();
      long lostBefore = gateway.lostForGood();
      gateway.becomeMark();
      lostForGood += gateway.lostForGood() - lostBefore;
      missingNow(gatewayId, 0);
    }
  }

  /** The sequences of a gateway that were applied since its last write. */
  private AppliedSequences touched(String gatewayId, GatewaySequences gateway) {
    AppliedSequences applied = touched.get(gatewayId);
    if (applied == null) {
      applied = new AppliedSequences(gateway);
      touched.put(gatewayId, applied);
    }
    return applied;
  }

  /** The mark to evict for a new gateway; null if none may be evicted. */
  private String oldestMark(long logMs) {
    return oldestFirst.first(byId, logMs - rules.ttlMs() - rules.markTtlMs(), logMs);
  }

  /**
   * Applies a batch that is {@link BatchVerdict#NEW}.
   *
   * @param logMs log time of the batch
   */
  public void apply(String gatewayId, long bootId, long sequence, long logMs) {
    GatewaySequences gateway = known(gatewayId, logMs);
    if (gateway == null) {
      makeRoom(logMs);
      gateway = new GatewaySequences();
      byId.put(gatewayId, gateway);
    }
    boolean beginsInGap = isCut(bootId) && !gateway.knows(bootId);
    AppliedSequences applied = touched(gatewayId, gateway);
    applied.add(bootId, sequence);
    if (beginsInGap) {
      applied.addOther();
    }
    long lostBefore = gateway.lostForGood();
    gateway.apply(bootId, sequence, logMs, beginsInGap);
    lostForGood += gateway.lostForGood() - lostBefore;
    missingNow(gatewayId, gateway.missing());
  }

  /** Whether no sequence below the one just applied is missing and may still be applied. */
  boolean isCompleteBelow(String gatewayId, long bootId, long sequence) {
    return byId.get(gatewayId).isCompleteBelow(bootId, sequence);
  }

  /**
   * Deletes a gateway without leaving a mark, as if it had never sent. Its missing batches count as
   * lost.
   *
   * @return whether it existed
   */
  public boolean reset(String gatewayId) {
    GatewaySequences gateway = byId.remove(gatewayId);
    if (gateway == null) {
      return false;
    }
    lostForGood += gateway.missing();
    missingNow(gatewayId, 0);
    touched.remove(gatewayId);
    forgotten.add(gatewayId);
    return true;
  }

  private void makeRoom(long logMs) {
    if (byId.size() < rules.maxGateways()) {
      return;
    }
    String oldest = oldestMark(logMs);
    if (oldest != null) {
      byId.remove(oldest);
      touched.remove(oldest);
      forgotten.add(oldest);
    }
  }

  /** Whether any gateway is not a mark yet. */
  public boolean awaitsTime() {
    return byId.values().stream().anyMatch(gateway -> !gateway.isMark());
  }

  /**
   * Converts idle gateways to marks, to free memory. It does not affect verdicts, because a look-up
   * treats a gateway as a mark as soon as its TTL has passed. Runs only periodically.
   */
  public void forgetSilent(long logMs) {
    if (logMs >= nextSweepMs) {
      nextSweepMs = logMs + Math.max(1, rules.ttlMs() / 100);
      byId.forEach((id, gateway) -> markIfSilent(id, gateway, logMs));
    }
  }

  /** Restores a gateway. */
  public void restore(String gatewayId, GatewaySequences sequences) {
    oldestFirst.clear();
    byId.put(gatewayId, sequences);
    missingNow(gatewayId, sequences.missing());
  }

  /** Removes a restored gateway. */
  public void dropRestored(String gatewayId) {
    byId.remove(gatewayId);
    missingNow(gatewayId, 0);
  }

  /** Removes a restored gateway that had been deleted, and deletes its entry again. */
  public void dropDeleted(String gatewayId) {
    dropRestored(gatewayId);
    forgotten.add(gatewayId);
  }

  private void missingNow(String gatewayId, long batches) {
    Long before = batches == 0 ? missingByGateway.remove(gatewayId) : put(gatewayId, batches);
    if ((before == null ? 0 : before) != batches) {
      missingChanges++;
    }
  }

  private Long put(String gatewayId, long batches) {
    return missingByGateway.put(gatewayId, batches);
  }

  public GatewaySequences get(String gatewayId) {
    return byId.get(gatewayId);
  }

  /** Number of scans over all gateways for one to evict. */
  long passes() {
    return oldestFirst.passes();
  }

  /** Gateways in the state, marks included. */
  public int size() {
    return byId.size();
  }

  /** The gateways to delete, before any is written. */
  public List<String> forgotten() {
    return forgotten;
  }

  /** The gateways to write. */
  public Set<String> touched() {
    return touched.keySet();
  }

  /** The applied sequences of a gateway to write. */
  public AppliedSequences applied(String gatewayId) {
    return touched.get(gatewayId);
  }

  /** All changes were written. */
  public void written() {
    touched.clear();
    forgotten.clear();
  }

  /** Lost batches of all gateways since the state was restored. */
  public long lostForGood() {
    return lostForGood;
  }

  /** Missing batches that may still arrive, per gateway that has any; a live view. */
  public Map<String, Long> missingByGateway() {
    return Collections.unmodifiableMap(missingByGateway);
  }

  /** Number of changes of {@link #missingByGateway()}. */
  public long missingChanges() {
    return missingChanges;
  }

  public void clear() {
    byId.clear();
    oldestFirst.clear();
    written();
    missingByGateway.clear();
    lostForGood = 0;
    missingChanges++;
    nextSweepMs = Long.MIN_VALUE;
    cutBeforeMs = NOT_CUT;
  }

  /**
   * Finds the gateway that was idle longest; ties are broken by id. It sorts all gateways when no
   * sorted one is unchanged any more, so a call usually checks only the first. A gateway that sends
   * gets a later time, because log time does not go back. Not thread-safe.
   */
  static final class OldestGateways {
    private static final Comparator<Entry> ORDER =
        Comparator.comparingLong(Entry::lastAppliedMs).thenComparing(Entry::id);

    private final Deque<Entry> ordered = new ArrayDeque<>();

    /** Log time of the sort: gateways that sent since have that time or a later one. */
    private long orderedMs;

    private long passes;

    /** A gateway and the log time of its last applied batch. */
    private record Entry(String id, long lastAppliedMs) {}

    /**
     * The gateway that was idle longest, if it sent nothing after a time; else null.
     *
     * @param logMs log time; not earlier than in the previous call
     */
    String first(Map<String, GatewaySequences> all, long notAfterMs, long logMs) {
      while (!ordered.isEmpty() && !isAsItWas(ordered.peekFirst(), all)) {
        ordered.removeFirst();
      }
      if (ordered.isEmpty()
          || (isFirstOf(notAfterMs) && ordered.peekFirst().lastAppliedMs() >= orderedMs)) {
        order(all, logMs);
      }
      return isFirstOf(notAfterMs) ? ordered.peekFirst().id() : null;
    }

    private boolean isFirstOf(long notAfterMs) {
      return !ordered.isEmpty() && ordered.peekFirst().lastAppliedMs() <= notAfterMs;
    }

    private static boolean isAsItWas(Entry entry, Map<String, GatewaySequences> all) {
      GatewaySequences now = all.get(entry.id());
      return now != null && now.lastAppliedMs() == entry.lastAppliedMs();
    }

    private void order(Map<String, GatewaySequences> all, long logMs) {
      passes++;
      ordered.clear();
      all.entrySet().stream()
          .map(gateway -> new Entry(gateway.getKey(), gateway.getValue().lastAppliedMs()))
          .sorted(ORDER)
          .forEach(ordered::add);
      orderedMs = logMs;
    }

    /** Number of sorts. */
    long passes() {
      return passes;
    }

    /** Discards the order. */
    void clear() {
      ordered.clear();
    }
  }
}

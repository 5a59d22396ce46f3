package io.weir.reading;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The gateways that have sent to one partition, and which of them changed since they were last
 * written. A gateway silent for its ttl leaves a mark; marks stay as long as there is room, and for
 * the marks' ttl at the least. Not safe for several threads.
 */
public final class Gateways {
  /** A boot id is the clock time of the start in milliseconds, shifted left by so many bits. */
  private static final int BOOT_TIME_SHIFT = 20;

  private final GatewayRules rules;
  private final Map<String, GatewaySequences> byId = new HashMap<>();
  private final Map<String, AppliedSequences> touched = new HashMap<>();
  private final OldestGateways oldestFirst = new OldestGateways();
  private final List<String> forgotten = new ArrayList<>();
  private final Map<String, Long> missingByGateway = new HashMap<>();
  private long lostForGood;
  private long missingChanges;
  private long nextSweepMs = Long.MIN_VALUE;

  public Gateways(GatewayRules rules) {
    this.rules = rules;
  }

  /**
   * What a batch is as a whole. Changes nothing that anybody can see.
   *
   * @param latestMs the later of the batch's and the partition's newest append time, which its boot
   *     id is held against
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
        gateway == null ? GatewaySequences.ofNewBoot(sequence) : gateway.judge(bootId, sequence);
    if (verdict == BatchVerdict.INVALID_SEQUENCE || verdict == BatchVerdict.DUPLICATE) {
      return verdict;
    }
    if ((bootId >>> BOOT_TIME_SHIFT) - rules.maxFutureBootMs() > latestMs) {
      return BatchVerdict.FUTURE_BOOT;
    }
    boolean full = gateway == null && byId.size() >= rules.maxGateways();
    return full && oldestMark(logMs) == null ? BatchVerdict.TOO_MANY_GATEWAYS : verdict;
  }

  /** A gateway as it is remembered at a log time, or null. */
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

  /** What was applied of a gateway since it was last written. */
  private AppliedSequences touched(String gatewayId, GatewaySequences gateway) {
    AppliedSequences applied = touched.get(gatewayId);
    if (applied == null) {
      applied = new AppliedSequences(gateway);
      touched.put(gatewayId, applied);
    }
    return applied;
  }

  /** The mark that gives way to a new gateway; null where all are to be kept. */
  private String oldestMark(long logMs) {
    return oldestFirst.first(byId, logMs - rules.ttlMs() - rules.markTtlMs(), logMs);
  }

  /**
   * Takes a batch that is {@link BatchVerdict#NEW} as applied.
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
    touched(gatewayId, gateway).add(bootId, sequence);
    long lostBefore = gateway.lostForGood();
    gateway.apply(bootId, sequence, logMs);
    lostForGood += gateway.lostForGood() - lostBefore;
    missingNow(gatewayId, gateway.missing());
  }

  /**
   * Whether of the sequences below one that was just applied none is missing that may still be
   * applied.
   */
  boolean isCompleteBelow(String gatewayId, long bootId, long sequence) {
    return byId.get(gatewayId).isCompleteBelow(bootId, sequence);
  }

  /**
   * Forgets a gateway without a mark, as if it had never sent. Batches that were skipped and have
   * not come count as lost.
   *
   * @return whether anything was known of it
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

  /** Whether any gateway is there that is no mark yet. */
  public boolean awaitsTime() {
    return byId.values().stream().anyMatch(gateway -> !gateway.isMark());
  }

  /**
   * Makes marks of gateways that were silent for long: frees memory, and decides nothing, since a
   * gateway that is asked for is one from the moment on that it has been silent for its ttl. Looks
   * only now and then.
   */
  public void forgetSilent(long logMs) {
    if (logMs >= nextSweepMs) {
      nextSweepMs = logMs + Math.max(1, rules.ttlMs() / 100);
      byId.forEach((id, gateway) -> markIfSilent(id, gateway, logMs));
    }
  }

  /** Puts back what was kept. */
  public void restore(String gatewayId, GatewaySequences sequences) {
    oldestFirst.clear();
    byId.put(gatewayId, sequences);
    missingNow(gatewayId, sequences.missing());
  }

  /** Takes out what was not kept after all. */
  public void dropRestored(String gatewayId) {
    byId.remove(gatewayId);
    missingNow(gatewayId, 0);
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

  /** How often all gateways were looked at for the one that gives way. */
  long passes() {
    return oldestFirst.passes();
  }

  /** Gateways in the state, marks included. */
  public int size() {
    return byId.size();
  }

  /** To be deleted, before anything is put. */
  public List<String> forgotten() {
    return forgotten;
  }

  /** To be put. */
  public Set<String> touched() {
    return touched.keySet();
  }

  /** What was applied of one that is to be put. */
  public AppliedSequences applied(String gatewayId) {
    return touched.get(gatewayId);
  }

  /** Says that all changes were written. */
  public void written() {
    touched.clear();
    forgotten.clear();
  }

  /** Batches of all gateways that were given up as lost since the state was read back. */
  public long lostForGood() {
    return lostForGood;
  }

  /** Batches that were skipped and may still come, of each gateway that lacks some; a live view. */
  public Map<String, Long> missingByGateway() {
    return Collections.unmodifiableMap(missingByGateway);
  }

  /** How often {@link #missingByGateway()} has changed: for those who look again only then. */
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
  }
}

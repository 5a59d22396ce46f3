package io.weir.reading;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The gateways that have sent to one partition, and which of them changed since they were last
 * written. A gateway is forgotten {@value #TTL_MS} ms (7 d) after its last applied batch. Not safe
 * for several threads.
 */
public final class Gateways {
  /** How long a gateway's sequences are kept after its last applied batch. */
  public static final long TTL_MS = 7L * 24 * 60 * 60 * 1000;

  private static final long SWEEP_MS = TTL_MS / 100;

  private final Map<String, GatewaySequences> byId = new HashMap<>();
  private final Set<String> touched = new HashSet<>();
  private final List<String> forgotten = new ArrayList<>();
  private final Map<String, Long> lostByGateway = new HashMap<>();
  private long lost;
  private long lostChanges;
  private long nextSweepMs = Long.MIN_VALUE;

  /** What a batch is as a whole. Changes nothing. */
  public BatchVerdict judge(ReadingColumns batch, String gatewayId, int maxIdBytes) {
    boolean anonymous = batch.gatewayLength() == 0 && batch.bootId() != 0;
    if (anonymous || batch.gatewayLength() > maxIdBytes) {
      return BatchVerdict.INVALID_GATEWAY;
    }
    return GatewaySequences.judge(byId.get(gatewayId), batch.bootId(), batch.sequence());
  }

  /** Takes a batch that is {@link BatchVerdict#NEW} as applied. */
  public void apply(String gatewayId, long bootId, long sequence, long appendTimeMs) {
    GatewaySequences gateway = byId.computeIfAbsent(gatewayId, id -> new GatewaySequences());
    long lostBefore = gateway.lost();
    gateway.apply(bootId, sequence, appendTimeMs);
    if (gateway.lost() != lostBefore) {
      lostNow(gatewayId, gateway.lost());
    }
    touched.add(gatewayId);
  }

  /** Forgets gateways that were silent for long; looks only now and then. */
  public void forgetSilent(long appendTimeMs) {
    if (appendTimeMs < nextSweepMs) {
      return;
    }
    nextSweepMs = appendTimeMs + SWEEP_MS;
    byId.entrySet()
        .removeIf(
            gateway -> {
              boolean silent = gateway.getValue().lastAppliedMs() + TTL_MS <= appendTimeMs;
              if (silent) {
                lostNow(gateway.getKey(), 0);
                touched.remove(gateway.getKey());
                forgotten.add(gateway.getKey());
              }
              return silent;
            });
  }

  /** Puts back what was kept. */
  public void restore(String gatewayId, GatewaySequences sequences) {
    dropRestored(gatewayId);
    byId.put(gatewayId, sequences);
    lostNow(gatewayId, sequences.lost());
  }

  /** Takes out what was not kept after all. */
  public void dropRestored(String gatewayId) {
    byId.remove(gatewayId);
    lostNow(gatewayId, 0);
  }

  private void lostNow(String gatewayId, long batches) {
    long before = lostByGateway.getOrDefault(gatewayId, 0L);
    if (batches == before) {
      return;
    }
    if (batches == 0) {
      lostByGateway.remove(gatewayId);
    } else {
      lostByGateway.put(gatewayId, batches);
    }
    lost += batches - before;
    lostChanges++;
  }

  public GatewaySequences get(String gatewayId) {
    return byId.get(gatewayId);
  }

  /** To be deleted, before anything is put. */
  public List<String> forgotten() {
    return forgotten;
  }

  /** To be put. */
  public Set<String> touched() {
    return touched;
  }

  /** Says that all changes were written. */
  public void written() {
    touched.clear();
    forgotten.clear();
  }

  /** Batches of all gateways that were skipped and have not come. */
  public long lost() {
    return lost;
  }

  /** The same of each gateway that lacks some; a live view. */
  public Map<String, Long> lostByGateway() {
    return Collections.unmodifiableMap(lostByGateway);
  }

  /** How often {@link #lostByGateway()} has changed: for those who look again only then. */
  public long lostChanges() {
    return lostChanges;
  }

  public void clear() {
    byId.clear();
    written();
    lostByGateway.clear();
    lost = 0;
    lostChanges++;
    nextSweepMs = Long.MIN_VALUE;
  }
}

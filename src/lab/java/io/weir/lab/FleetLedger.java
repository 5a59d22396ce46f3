package io.weir.lab;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the fleet offered and the brokers acknowledged, by what the fleet meant by it. Resends count
 * each time. Safe for many threads.
 */
public final class FleetLedger {
  /** What a reading, or a record, was meant to be. */
  public enum Kind {
    HONEST,
    /** Held back while its gateway was offline. */
    BACKLOG,
    RESENT,
    FUTURE,
    BEHIND,
    NOT_A_NUMBER,
    MISROUTED,
    OLD,
    /** A record that is no batch: it has no readings. */
    POISON
  }

  private final Map<Kind, LongAdder> acknowledged = new EnumMap<>(Kind.class);

  public FleetLedger() {
    for (Kind kind : Kind.values()) {
      acknowledged.put(kind, new LongAdder());
    }
  }

  /** Counts what the brokers have acknowledged: readings, but records of poison. */
  public void acknowledged(Kind kind, long count) {
    acknowledged.get(kind).add(count);
  }

  /** Readings of a kind; records of poison. */
  public long count(Kind kind) {
    return acknowledged.get(kind).sum();
  }

  /** All readings; poison has none. */
  public long offered() {
    long offered = 0;
    for (Kind kind : Kind.values()) {
      offered += kind == Kind.POISON ? 0 : count(kind);
    }
    return offered;
  }
}

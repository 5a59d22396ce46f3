package io.weir.lab;

/**
 * What goes wrong in the fleet on purpose, and when: each fault has its part of a cycle that comes
 * again and again.
 */
public enum Fault {
  OFFLINE(GatewayRole.TRAVELLING, FleetLedger.Kind.BACKLOG, 3, 9),
  RESENDS(GatewayRole.REPEATING, FleetLedger.Kind.RESENT, 5, 10),
  FUTURE_CLOCK(GatewayRole.FAST_CLOCK, FleetLedger.Kind.FUTURE, 8, 12),
  SLOW_CLOCK(GatewayRole.SLOW_CLOCK, FleetLedger.Kind.BEHIND, 0, 24),
  NOT_A_NUMBER(GatewayRole.BROKEN, FleetLedger.Kind.NOT_A_NUMBER, 11, 15),
  MISROUTED(GatewayRole.BROKEN, FleetLedger.Kind.MISROUTED, 14, 18),
  POISON(GatewayRole.BROKEN, FleetLedger.Kind.POISON, 17, 21),
  OLD_READINGS(GatewayRole.STEADY, FleetLedger.Kind.OLD, 19, 23);

  /** Parts that a cycle has; it begins with a few in which little goes wrong. */
  static final int PARTS = 24;

  private final GatewayRole gateway;
  private final FleetLedger.Kind kind;
  private final int from;
  private final int until;

  Fault(GatewayRole gateway, FleetLedger.Kind kind, int from, int until) {
    this.gateway = gateway;
    this.kind = kind;
    this.from = from;
    this.until = until;
  }

  /** Who does it. */
  public GatewayRole gateway() {
    return gateway;
  }

  /** How the ledger counts what it touches. */
  public FleetLedger.Kind kind() {
    return kind;
  }

  /** Whether it never stops. */
  public boolean always() {
    return until - from == PARTS;
  }

  long fromMs(long cycleMs) {
    return from * cycleMs / PARTS;
  }

  long untilMs(long cycleMs) {
    return until * cycleMs / PARTS;
  }
}

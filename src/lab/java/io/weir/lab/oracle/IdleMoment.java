package io.weir.lab.oracle;

/** What decides when a silent sensor's windows are emitted. */
public enum IdleMoment {
  /** A clock of the engine: at any time, as nobody can look it up afterwards. */
  BY_CLOCK,

  /** The records: at the very first one by which it is due. */
  BY_RECORDS
}

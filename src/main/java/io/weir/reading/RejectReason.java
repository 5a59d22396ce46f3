package io.weir.reading;

/**
 * Why something is not believed, in the order in which the reasons are tried: the first that fits
 * is the one named. The names stand in the dead letters' {@code weir.reason} header.
 */
public enum RejectReason {
  /** Neither bare protobuf nor a known frame; or deeper, larger or longer than the limits. */
  UNDECODABLE(Scope.RECORD),
  /** Framed with a schema that the registry does not have, or that is no ReadingBatch. */
  UNKNOWN_SCHEMA(Scope.RECORD),
  /** A gateway id that is empty although there is a boot id, or that is too long. */
  INVALID_GATEWAY(Scope.BATCH),
  /** A boot id without a sequence, one of them 2^63 or more, or a jump of more than 2^20. */
  INVALID_SEQUENCE(Scope.BATCH),
  /** A boot id at or below the highest of that gateway that was let go. */
  FENCED(Scope.BATCH),
  /** Below the sequences that are remembered one by one. */
  STALE_SEQUENCE(Scope.BATCH),
  MISSING_SENSOR_ID(Scope.READING),
  SENSOR_ID_TOO_LONG(Scope.READING),
  /** NaN or infinite. */
  INVALID_VALUE(Scope.READING),
  /** Not positive; or of a series whose lengths disagree or whose deltas overflow. */
  INVALID_TIMESTAMP(Scope.READING),
  /** Later than the record's append time by more than the allowed skew. */
  FUTURE_TIMESTAMP(Scope.READING),
  /** The sensor belongs to another partition. */
  MISROUTED(Scope.READING);

  /** What is refused for a reason. */
  public enum Scope {
    /** A record whose readings cannot be told. */
    RECORD,
    /** A batch with all its readings. */
    BATCH,
    /** One reading; its neighbours count. */
    READING
  }

  private final Scope scope;

  RejectReason(Scope scope) {
    this.scope = scope;
  }

  public Scope scope() {
    return scope;
  }
}

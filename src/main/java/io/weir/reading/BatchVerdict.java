package io.weir.reading;

/** The verdict on a whole batch, by its gateway, boot id and sequence. */
public enum BatchVerdict {
  /** Not sequenced: duplicates cannot be detected. */
  UNSEQUENCED(null),
  /** Not seen before. */
  NEW(null),
  /** Applied before: only counted. */
  DUPLICATE(null),
  INVALID_GATEWAY(RejectReason.INVALID_GATEWAY),
  INVALID_SEQUENCE(RejectReason.INVALID_SEQUENCE),
  FUTURE_BOOT(RejectReason.FUTURE_BOOT),
  TOO_MANY_GATEWAYS(RejectReason.TOO_MANY_GATEWAYS),
  FENCED(RejectReason.FENCED),
  STALE(RejectReason.STALE_SEQUENCE);

  private final RejectReason refusal;

  BatchVerdict(RejectReason refusal) {
    this.refusal = refusal;
  }

  /** Why the whole batch is refused, or null if it is not. */
  public RejectReason refusal() {
    return refusal;
  }
}

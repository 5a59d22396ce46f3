package io.weir.reading;

/** What a batch's gateway, boot id and sequence say of it as a whole. */
public enum BatchVerdict {
  /** Not sequenced: repeats of it cannot be seen. */
  UNSEQUENCED(null),
  /** Not seen before. */
  NEW(null),
  /** Applied before: counted, and nothing else. */
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

  /** Why the whole batch is refused, or null where it is not. */
  public RejectReason refusal() {
    return refusal;
  }
}

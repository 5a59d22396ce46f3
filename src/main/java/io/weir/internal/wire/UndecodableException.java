package io.weir.internal.wire;

import io.weir.reading.RejectReason;

/** The bytes of a record are not a batch; the reason is reported in the dead letter. */
public final class UndecodableException extends Exception {
  private static final long serialVersionUID = 1;

  private final RejectReason reason;

  UndecodableException(RejectReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Neither bare protobuf nor a known frame, or beyond the limits. */
  public static UndecodableException malformed(String message) {
    return new UndecodableException(RejectReason.UNDECODABLE, message);
  }

  /** Framed with an unexpected schema. */
  public static UndecodableException unknownSchema(String message) {
    return new UndecodableException(RejectReason.UNKNOWN_SCHEMA, message);
  }

  /** A reset mark without its order. */
  public static UndecodableException unknownReset() {
    return new UndecodableException(
        RejectReason.UNKNOWN_RESET, RejectReason.UNKNOWN_RESET.meaning());
  }

  /** No valid signature proves its gateway. */
  public static UndecodableException notProven(RejectReason reason) {
    return new UndecodableException(reason, reason.meaning());
  }

  /** Whether it was refused for its signature, and may be a batch. */
  public boolean isNotProven() {
    return reason == RejectReason.UNSIGNED || reason == RejectReason.BAD_SIGNATURE;
  }

  public RejectReason reason() {
    return reason;
  }
}

package io.weir.wire;

import io.weir.reading.RejectReason;

/** The bytes of a record are no batch, for a reason that a dead letter can name. */
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

  /** Framed, and not what belongs there. */
  public static UndecodableException unknownSchema(String message) {
    return new UndecodableException(RejectReason.UNKNOWN_SCHEMA, message);
  }

  /** A mark without its order. */
  public static UndecodableException unknownReset() {
    return new UndecodableException(
        RejectReason.UNKNOWN_RESET, RejectReason.UNKNOWN_RESET.meaning());
  }

  /** Nobody has shown that it is of the gateway that it names. */
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

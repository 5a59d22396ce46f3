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

  public RejectReason reason() {
    return reason;
  }
}

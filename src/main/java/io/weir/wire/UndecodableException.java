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

  static UndecodableException malformed(String message) {
    return new UndecodableException(RejectReason.UNDECODABLE, message);
  }

  public RejectReason reason() {
    return reason;
  }
}

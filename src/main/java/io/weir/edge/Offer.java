package io.weir.edge;

import io.weir.reading.RejectReason;
import java.util.Optional;

/** What became of a reading or an event that was offered. Answering allocates nothing. */
public enum Offer {
  /** Taken: it will be sent, and its acknowledgement called once. */
  ACCEPTED(null),
  /** Not taken: the queue is full. Offer it again later; sending goes on by itself. */
  SUSPENDED(null),
  /** Not taken: the publisher takes nothing more. */
  CLOSED(null),
  /** Not taken, now or ever: the sensor id is empty. */
  REFUSED_MISSING_SENSOR_ID(RejectReason.MISSING_SENSOR_ID),
  /** Not taken, now or ever: the sensor id has too many bytes. */
  REFUSED_SENSOR_ID_TOO_LONG(RejectReason.SENSOR_ID_TOO_LONG),
  /** Not taken, now or ever: the sensor id has half a surrogate pair, which no UTF-8 can write. */
  REFUSED_SENSOR_ID_NOT_TEXT(null),
  /** Not taken, now or ever: the value is NaN or infinite. */
  REFUSED_INVALID_VALUE(RejectReason.INVALID_VALUE),
  /** Not taken, now or ever: the timestamp is not positive. */
  REFUSED_INVALID_TIMESTAMP(RejectReason.INVALID_TIMESTAMP),
  /** Not taken, now or ever: {@link EventPublisher#refusal} says why. */
  REFUSED_EVENT(null);

  private final Optional<RejectReason> reason;

  Offer(RejectReason reason) {
    this.reason = Optional.ofNullable(reason);
  }

  /** Why the reading was refused; empty for those that were not. */
  public Optional<RejectReason> reason() {
    return reason;
  }

  static Offer refused(RejectReason reason) {
    return switch (reason) {
      case MISSING_SENSOR_ID -> REFUSED_MISSING_SENSOR_ID;
      case SENSOR_ID_TOO_LONG -> REFUSED_SENSOR_ID_TOO_LONG;
      case INVALID_VALUE -> REFUSED_INVALID_VALUE;
      case INVALID_TIMESTAMP -> REFUSED_INVALID_TIMESTAMP;
      default -> throw new IllegalArgumentException(reason + "  is not known from a reading alone");
    };
  }
}

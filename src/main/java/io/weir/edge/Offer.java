package io.weir.edge;

import io.weir.reading.RejectReason;
import java.util.Optional;

/** The result of offering a reading or an event. Allocates nothing. */
public enum Offer {
  /** Accepted: it will be sent, and its acknowledgement is called once. */
  ACCEPTED(null),
  /** Not accepted: the queue is full. Offer it again later; sending continues. */
  SUSPENDED(null),
  /** Not accepted: the publisher is closed. */
  CLOSED(null),
  /** Invalid: the sensor id is empty. */
  REFUSED_MISSING_SENSOR_ID(RejectReason.MISSING_SENSOR_ID),
  /** Invalid: the sensor id has too many bytes. */
  REFUSED_SENSOR_ID_TOO_LONG(RejectReason.SENSOR_ID_TOO_LONG),
  /** Invalid: the sensor id has an unpaired surrogate, which UTF-8 cannot encode. */
  REFUSED_SENSOR_ID_NOT_TEXT(null),
  /** Invalid: the value is NaN or infinite. */
  REFUSED_INVALID_VALUE(RejectReason.INVALID_VALUE),
  /** Invalid: the timestamp is not positive. */
  REFUSED_INVALID_TIMESTAMP(RejectReason.INVALID_TIMESTAMP),
  /** Invalid: {@link EventPublisher#refusal} returns the reason. */
  REFUSED_EVENT(null);

  private final Optional<RejectReason> reason;

  Offer(RejectReason reason) {
    this.reason = Optional.ofNullable(reason);
  }

  /** The reason if the reading is invalid, else empty. */
  public Optional<RejectReason> reason() {
    return reason;
  }

  static Offer refused(RejectReason reason) {
    return switch (reason) {
      case MISSING_SENSOR_ID -> REFUSED_MISSING_SENSOR_ID;
      case SENSOR_ID_TOO_LONG -> REFUSED_SENSOR_ID_TOO_LONG;
      case INVALID_VALUE -> REFUSED_INVALID_VALUE;
      case INVALID_TIMESTAMP -> REFUSED_INVALID_TIMESTAMP;
      default ->
          throw new IllegalArgumentException(
              reason + " cannot be determined from a " + "reading alone");
    };
  }
}

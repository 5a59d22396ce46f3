package io.weir.internal.input;

import io.weir.reading.RejectReason;
import java.util.Optional;

/** What became of a reading. */
public enum Outcome {
  ACCEPTED,
  /** It was accepted before. */
  DUPLICATE,
  /** No room until the request's time ran out, or the edge stops: the request fails. */
  NOT_STORED,
  MISSING_SENSOR_ID,
  SENSOR_ID_TOO_LONG,
  /** It has half a surrogate pair. */
  SENSOR_ID_NOT_TEXT,
  INVALID_VALUE,
  INVALID_TIMESTAMP,
  /** The client may not write the sensor. */
  NOT_ITS_SENSOR,
  /** It is new, and its sender has created too many. */
  TOO_MANY_SENSORS,
  /** Another series has the same id. */
  ID_COLLISION;

  /** The reason if the reading is refused. */
  public Optional<String> refusal() {
    return compareTo(NOT_STORED) > 0 ? Optional.of(name()) : Optional.empty();
  }

  static Outcome of(RejectReason reason) {
    return valueOf(reason.name());
  }
}

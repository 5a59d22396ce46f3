package io.weir.reading;

/** Why something that a gateway said about the completeness of a sensor is not acted on. */
public enum IgnoredAttestation {
  /** Its batch has no sequence: what is missing before it is unknown. */
  UNSEQUENCED,
  /** A batch before it has not come and still may. */
  GAP,
  /** Its batch is a dead letter that was sent again: what it attests is long past. */
  REDRIVEN,
  /** It names no sensor, or one with too long an id, or a time that is not positive. */
  INVALID,
  /** It is for a time further ahead of the append time than a reading may be. */
  FUTURE,
  /** Its sensor belongs to another partition. */
  MISROUTED,
  /** Its gateway may not publish the sensor. */
  NOT_ITS_SENSOR,
  /** Its sensor is not known, or was forgotten. */
  UNKNOWN_SENSOR
}

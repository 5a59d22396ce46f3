package io.weir.reading;

/** Why an attestation is ignored. */
public enum IgnoredAttestation {
  /** Its batch has no sequence: missing batches before it cannot be detected. */
  UNSEQUENCED,
  /** An earlier batch is missing and may still arrive. */
  GAP,
  /** Its batch is a redriven dead letter: its attestation is outdated. */
  REDRIVEN,
  /** The sensor id is empty or too long, or the time is not positive. */
  INVALID,
  /** Its time is later than the append time by more than the allowed skew. */
  FUTURE,
  /** Its sensor belongs to another partition. */
  MISROUTED,
  /** Its gateway may not publish the sensor. */
  NOT_ITS_SENSOR,
  /** Its sensor is unknown or expired. */
  UNKNOWN_SENSOR
}

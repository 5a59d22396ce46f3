package io.weir.reading;

/** The sensors that the gateway of a batch may publish. */
@FunctionalInterface
public interface SensorPermit {
  /** Allows all sensors. */
  SensorPermit ALL = (bytes, offset, length) -> true;

  /**
   * Whether a sensor is allowed.
   *
   * @param bytes hold its id in UTF-8
   */
  boolean allows(byte[] bytes, int offset, int length);
}

package io.weir.reading;

/** Which sensors the sender of a batch may publish. */
@FunctionalInterface
public interface SensorPermit {
  /** Where nobody is asked. */
  SensorPermit ALL = (bytes, offset, length) -> true;

  /**
   * Whether a sensor is among them.
   *
   * @param bytes hold its id in UTF-8
   */
  boolean allows(byte[] bytes, int offset, int length);
}

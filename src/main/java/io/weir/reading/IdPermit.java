package io.weir.reading;

/** The sensors, or the keys of events, that the gateway of a batch may publish. */
@FunctionalInterface
public interface IdPermit {
  /** Allows all. */
  IdPermit ALL = (bytes, offset, length) -> true;

  /**
   * Whether an id is allowed.
   *
   * @param bytes hold it in UTF-8
   */
  boolean allows(byte[] bytes, int offset, int length);
}

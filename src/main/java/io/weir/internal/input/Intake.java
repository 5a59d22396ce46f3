package io.weir.internal.input;

/**
 * The common way of all inputs into the publisher. Thread-safe.
 *
 * @param sink where readings go
 * @param identities recognise repeats
 * @param maxIdBytes longest sensor id
 * @param ackTimeoutNanos longest time until a request's readings are on disk
 */
public record Intake(
    ReadingSink sink, Identities identities, int maxIdBytes, long ackTimeoutNanos) {
  /** The readings of a request that begins now. */
  public Delivery begin() {
    return new Delivery(this, false);
  }

  /**
   * The readings of a message whose sender does not wait: it fails only if one reading finds no
   * room for the whole time. Otherwise a message that takes longer would come again for ever.
   */
  public Delivery beginPatiently() {
    return new Delivery(this, true);
  }
}

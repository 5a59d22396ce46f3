package io.weir.edge;

/**
 * Called once for a reading that was accepted, when the batch that it went with is acknowledged by
 * the brokers; never for one that was not acknowledged before the publisher was closed.
 *
 * <p>It runs on the publisher's own thread, which sends nothing meanwhile: it must be quick, may
 * offer readings, and must not wait for a flush or a close. What it throws is logged and harms
 * nobody.
 */
@FunctionalInterface
public interface Acknowledgement {
  void acknowledged();
}

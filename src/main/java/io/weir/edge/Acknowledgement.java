package io.weir.edge;

/**
 * Called once for an accepted reading, when the brokers acknowledge its batch. Never called if the
 * publisher is closed before that.
 *
 * <p>It runs on the publisher's thread and blocks sending: it must be quick, may offer readings,
 * and must not wait for a flush or a close. An exception that it throws is logged and has no other
 * effect.
 */
@FunctionalInterface
public interface Acknowledgement {
  void acknowledged();
}

package io.weir.lab.bench;

/**
 * Something that processes readings in threads of its own, and is watched by another thread, which
 * calls all of these.
 */
public interface Work extends AutoCloseable {
  /** Begins; returns at once. */
  void start();

  /**
   * Readings processed by now.
   *
   * @throws IllegalStateException if it cannot go on
   */
  long processed();

  /** Whether all that was processed will stay so: asked when all was. */
  boolean settled();

  /** The warm-up has ended: the measurement begins. */
  default void warmedUp() {}

  /** What it knows of itself, at the end. */
  default Figures extras() {
    return Figures.NONE;
  }

  @Override
  void close();
}

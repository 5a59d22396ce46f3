package io.weir.window.aggregate;

/**
 * What follows from the samples of a span of time in the order of (event time, value): the
 * integral, each value held until the next sample, and a counter's increase and resets. All exact.
 * Two spans that follow each other are joined by the last sample of the one and the first of the
 * other. Not safe for several threads.
 */
public final class SampleSums {
  private final ExactAccumulator integral;
  private final ExactAccumulator increase;
  private long resets;

  /** Of no sample, or of one. */
  public SampleSums() {
    this(new ExactAccumulator(), new ExactAccumulator(), 0);
  }

  /** Goes on from what the getters once gave. */
  public SampleSums(ExactAccumulator integral, ExactAccumulator increase, long resets) {
    this.integral = integral;
    this.increase = increase;
    this.resets = resets;
  }

  /** Adds the step from one sample to the next, {@code heldMs} later. */
  void step(double value, double next, long heldMs) {
    integral.addProduct(value, heldMs);
    increase.add(next);
    if (next < value) {
      resets = Math.incrementExact(resets);
    } else {
      increase.add(-value);
    }
  }

  /**
   * Adds the steps of another span, which stays as it is. The step between the two is not among
   * them.
   */
  void addSteps(SampleSums other) {
    resets = Math.addExact(resets, other.resets);
    integral.merge(other.integral);
    increase.merge(other.increase);
  }

  /** Value x milliseconds. */
  public ExactAccumulator integral() {
    return integral;
  }

  /** The sum of all rises; after a reset a counter begins at 0. */
  public ExactAccumulator increase() {
    return increase;
  }

  /** How often a value was smaller than the one before. */
  public long resets() {
    return resets;
  }
}

package io.weir.internal.window.aggregate;

/**
 * The statistics of the samples of an interval in the order of (event time, value): the integral,
 * with each value held until the next sample, and the increase and the resets of a counter. All
 * exact. Adjacent intervals are joined by the last sample of the first and the first sample of the
 * second. Not safe for several threads.
 */
public final class SampleSums {
  private final ExactAccumulator integral;
  private final ExactAccumulator increase;
  private long resets;

  /** The result for zero samples, or one. */
  public SampleSums() {
    this(new ExactAccumulator(), new ExactAccumulator(), 0);
  }

  /** Restores sums from values of the getters. */
  public SampleSums(ExactAccumulator integral, ExactAccumulator increase, long resets) {
    this.integral = integral;
    this.increase = increase;
    this.resets = resets;
  }

  /** Adds the step from one sample to the next, {@code heldMs} later. */
  void step(double value, double next, long heldMs) {
    integral.addProduct(value, heldMs);
    if (next < value) {
      resets = Math.incrementExact(resets);
      addRise(0, next);
    } else {
      addRise(value, next);
    }
  }

  /** Takes back a step. */
  void takeBack(double value, double next, long heldMs) {
    integral.addProduct(value, -heldMs);
    if (next < value) {
      resets--;
      addRise(next, 0);
    } else {
      addRise(next, value);
    }
  }

  private void addRise(double from, double to) {
    increase.add(to);
    increase.add(-from);
  }

  /**
   * Adds the steps of another interval, which is not changed. The step between the two is not
   * included.
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

  /** The sum of all rises; after a reset a counter starts at 0. */
  public ExactAccumulator increase() {
    return increase;
  }

  /** Number of values that are smaller than the previous one. */
  public long resets() {
    return resets;
  }
}

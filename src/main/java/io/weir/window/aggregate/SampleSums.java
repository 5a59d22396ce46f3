package io.weir.window.aggregate;

/**
 * What follows from the samples of a span of time in the order of (event time, value): the
 * integral, each value held until the next sample, and a counter's increase and resets. All exact.
 * Two spans that follow each other are joined by the last sample of the one and the first of the
 * other. Not safe for several threads.
 */
public final class SampleSums {
  /** Takes samples one by one in the order of (event time, value). */
  static final class Builder {
    private final SampleSums sums = new SampleSums();
    private boolean started;
    private long lastMs;
    private double last;

    /** The value from which the counter rises without a fall since: 0 after a reset. */
    private double risesFrom;

    void next(long timestampMs, double value) {
      if (!started) {
        started = true;
        risesFrom = value;
      } else {
        sums.integral.addProduct(last, timestampMs - lastMs);
        if (value < last) {
          sums.addRise(risesFrom, last);
          sums.resets++;
          risesFrom = 0;
        }
      }
      lastMs = timestampMs;
      last = value;
    }

    /** Of all samples so far; to be called once. */
    SampleSums build() {
      if (started) {
        sums.addRise(risesFrom, last);
      }
      return sums;
    }
  }

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
    if (next < value) {
      resets = Math.incrementExact(resets);
      addRise(0, next);
    } else {
      addRise(value, next);
    }
  }

  private void addRise(double from, double to) {
    increase.add(to);
    increase.add(-from);
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

package io.weir.lab.bench;

/**
 * How much is measured.
 *
 * @param rounds how often everything is measured in turn, from 1
 * @param readings of the dense load in rows; columnar, which takes half the time, has twice as
 *     many, and the calm load half of it
 * @param wideReadings of each load with a million sensors, of which a second has fewer
 * @param keptReadings of the load that keeps closed windows; most of them fill the state
 * @param dslReadings of the DSL pipeline's load: it would take minutes for the others'
 * @param published readings that the publisher offers
 * @param singlySent readings that are sent a record each
 * @param recorded readings of a recording that are published, the same ones again and again
 * @param latencySeconds how long a rate is offered
 * @param closedWindows whose closing is timed
 * @param thorough whether loads and rates that no target names for the quick run are measured too
 */
public record BenchScale(
    int rounds,
    long readings,
    long wideReadings,
    long keptReadings,
    long dslReadings,
    long published,
    long singlySent,
    long recorded,
    int latencySeconds,
    int closedWindows,
    boolean thorough) {
  /** Long enough that the warm-up does not decide. */
  public static final BenchScale FULL =
      new BenchScale(
          3,
          160_000_000,
          80_000_000,
          100_000_000,
          1_500_000,
          120_000_000,
          3_000_000,
          3_000_000,
          40,
          1_000,
          true);

  /**
   * Below 5 minutes on 2 cores that have nothing else to do; over before the JIT compiler has done
   * with a Streams application, so that Weir looks worse than in the full run.
   */
  public static final BenchScale QUICK =
      new BenchScale(
          2, 26_000_000, 3_500_000, 1, 100_000, 8_000_000, 400_000, 1_000_000, 4, 200, false);

  /** Of each run the first share, in percent, is warm-up. */
  static final int WARM_UP_PERCENT = 50;

  public BenchScale {
    if (rounds < 1 || readings < 1) {
      throw new IllegalArgumentException(
          "expected: 1 round or more and 1 reading or more, not " + rounds + " and " + readings);
    }
  }

  public BenchScale withRounds(int number) {
    return new BenchScale(
        number,
        readings,
        wideReadings,
        keptReadings,
        dslReadings,
        published,
        singlySent,
        recorded,
        latencySeconds,
        closedWindows,
        thorough);
  }

  public BenchScale withReadings(long number) {
    return new BenchScale(
        rounds,
        number,
        number,
        number,
        Math.min(dslReadings, number),
        Math.min(published, number),
        Math.min(singlySent, number),
        Math.min(recorded, number),
        latencySeconds,
        closedWindows,
        thorough);
  }
}

package io.weir.cli.plan;

/**
 * The measured figures of Weir that a plan uses, each with its origin.
 *
 * @param denseRate readings per second of a thread, with six or more readings of a sensor in a
 *     batch
 * @param wideRate the same with one reading of a sensor in a batch, and a million sensors
 * @param readingBytes bytes of a reading on weir.readings, compressed, on one replica
 * @param readingsInBatch number of readings in a batch in that measurement
 * @param batchBytes bytes of a batch on weir.readings without its readings
 * @param windowBytes bytes of a summary on weir.windows, likewise
 * @param changelogBytes sent changelog bytes of a sensor's change by one reading, likewise
 * @param changelogLiveBytes compacted changelog bytes of a sensor
 * @param changelogKeptWindowBytes compacted changelog bytes of a closed window that is retained for
 *     amendment
 * @param stateBytes heap of a sensor
 * @param stateWindowBytes heap of a closed window that is retained for amendment
 * @param restoreBytes changelog bytes per second of a restore
 * @param jobs figures other than those of windows and rollups
 */
public record PlanFigures(
    Figure denseRate,
    Figure wideRate,
    Figure readingBytes,
    Figure readingsInBatch,
    Figure batchBytes,
    Figure windowBytes,
    Figure changelogBytes,
    Figure changelogLiveBytes,
    Figure changelogKeptWindowBytes,
    Figure stateBytes,
    Figure stateWindowBytes,
    Figure restoreBytes,
    JobFigures jobs) {

  /**
   * A measured number.
   *
   * @param source its origin, in a few words
   */
  public record Figure(double value, String source) {
    public Figure {
      if (!(value > 0) || Double.isInfinite(value)) {
        throw new IllegalArgumentException(source + ": " + value + " is not a valid figure");
      }
    }
  }

  private static final String SPEED = "docs/results/2026-11-26-speed.md, two cores";
  private static final String FLEET = "docs/results/2026-11-25-sizing.md, 20,000 sensors at 1 Hz";

  /** The figures of the documentation, which were measured on other machines. */
  public static final PlanFigures DEFAULT =
      new PlanFigures(
          new Figure(3_350_000, SPEED + ", dense rows"),
          new Figure(550_000, SPEED + ", wide rows"),
          new Figure(33.3, FLEET),
          new Figure(7.25, "20,000 readings a second of one gateway, in 20 ms to 64 partitions"),
          new Figure(120, "docs/results/2026-11-25-sizing.md"),
          new Figure(38.3, FLEET),
          new Figure(5.1, FLEET),
          new Figure(105, FLEET),
          new Figure(60, SPEED + ", kept"),
          new Figure(360, SPEED + ", wide rows"),
          new Figure(88, SPEED + ", kept"),
          new Figure(
              48 << 20,
              "docs/results/2026-11-25-sizing.md, 440 MiB in 9.2 s, the start of java in it"),
          JobFigures.DEFAULT);

  /** These figures with other rates of a thread. */
  PlanFigures withRates(Figure dense, Figure wide) {
    return new PlanFigures(
        dense,
        wide,
        readingBytes,
        readingsInBatch,
        batchBytes,
        windowBytes,
        changelogBytes,
        changelogLiveBytes,
        changelogKeptWindowBytes,
        stateBytes,
        stateWindowBytes,
        restoreBytes,
        jobs);
  }
}

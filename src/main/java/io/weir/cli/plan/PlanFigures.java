package io.weir.cli.plan;

/**
 * What is measured of Weir and the plan rests on, each figure with where it is from.
 *
 * @param denseRate readings a second that one thread takes where a batch has six readings or more
 *     of a sensor
 * @param wideRate the same where it has one, of a million sensors
 * @param readingBytes of a reading on weir.readings, compressed, on one replica
 * @param readingsInBatch so many were in a batch there
 * @param batchBytes of a batch on weir.readings, beside its readings
 * @param windowBytes of a summary on weir.windows, likewise
 * @param changelogBytes of a sensor's change by one reading in the changelog, as it is sent,
 *     likewise
 * @param changelogLiveBytes of a sensor in the changelog, once compacted
 * @param changelogKeptWindowBytes of a closed window that is kept for amendment, likewise
 * @param stateBytes of a sensor on the heap
 * @param stateWindowBytes of a closed window that is kept for amendment, on the heap
 * @param restoreBytes of the changelog that a process reads in a second when it takes over
 * @param jobs of what there is beside windows and rollups
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
   * @param source where it is from, in a few words
   */
  public record Figure(double value, String source) {
    public Figure {
      if (!(value > 0) || Double.isInfinite(value)) {
        throw new IllegalArgumentException(
            source + ": " + value + " is no figure to calculate with");
      }
    }
  }

  private static final String SPEED = "docs/results/2026-11-26-speed.md, two cores";
  private static final String FLEET = "docs/results/2026-11-25-sizing.md, 20,000 sensors at 1 Hz";

  /** Those that the documents hold; measured on other machines than yours. */
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

  /** The same with other rates of a thread. */
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

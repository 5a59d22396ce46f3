package io.weir.cli.plan;

import io.weir.cli.plan.PlanFigures.Figure;

/**
 * What is measured of hopping windows, status, events, groups and rows of PostgreSQL. Bytes on
 * topics and of entries are compressed, ten in a batch; what is in a changelog is not.
 *
 * @param hoppingHeap of a sensor that has hopping windows, for n windows that are kept for them
 * @param hoppingEntry of such a window in the changelog, as it is sent
 * @param hoppingKept of such a window in the changelog, once compacted
 * @param deletion of an entry that is deleted
 * @param statusHeap of a sensor whose status is kept
 * @param statusKept the same in the changelog, once compacted
 * @param statusBytes of a record of weir.status
 * @param eventBytes of an event on weir.events or weir.scheduled, for n bytes of its message
 * @param timerHeap of a scheduled event that waits, for n bytes of its message
 * @param timerEntry the same in the changelog, as it is sent
 * @param timerKept the same in the changelog, once compacted
 * @param foldHeap of a key's fold, for n fields
 * @param foldEntry the same in the changelog, as it is sent
 * @param foldKept the same in the changelog, once compacted
 * @param foldBytes of a record of weir.folded, for n fields
 * @param groupHeap of a window of a group, for n sensors
 * @param groupWindowEntry of that window without its sensors in the changelog, as it is sent
 * @param groupPartEntry of a sensor's part of it, likewise
 * @param groupKept of the whole window, for n sensors, once compacted
 * @param groupPartBytes of a record of weir.group-parts
 * @param groupBytes of a record of weir.groups
 * @param timersPerProcessor scheduled events that one busy processor takes in a second
 * @param foldedPerProcessor events that it folds in a second
 * @param windowRow of a summary in PostgreSQL, with its index
 * @param histogramRow what a histogram adds to it
 * @param groupRow of a group's summary, likewise
 * @param statusRow of a sensor's status, likewise
 * @param entityRow of a field of a key, likewise
 * @param rows that one process writes to PostgreSQL in a second
 */
public record JobFigures(
    Linear hoppingHeap,
    Figure hoppingEntry,
    Figure hoppingKept,
    Figure deletion,
    Figure statusHeap,
    Figure statusKept,
    Figure statusBytes,
    Linear eventBytes,
    Linear timerHeap,
    Linear timerEntry,
    Linear timerKept,
    Linear foldHeap,
    Linear foldEntry,
    Linear foldKept,
    Linear foldBytes,
    Linear groupHeap,
    Figure groupWindowEntry,
    Figure groupPartEntry,
    Linear groupKept,
    Figure groupPartBytes,
    Figure groupBytes,
    Figure timersPerProcessor,
    Figure foldedPerProcessor,
    Figure windowRow,
    Figure histogramRow,
    Figure groupRow,
    Figure statusRow,
    Figure entityRow,
    Figure rows) {

  private static final String MEASURED = "docs/results/2026-11-25-sizing.md";
  private static final String EVENTS = "docs/results/2026-11-26-speed.md, events, CPU s a million";

  /** Those that the documents hold; measured on another machine than yours. */
  public static final JobFigures DEFAULT =
      new JobFigures(
          new Linear(435, 119, MEASURED),
          figure(42),
          figure(57),
          figure(22),
          figure(72),
          figure(31),
          figure(60),
          new Linear(13, 0.27, MEASURED),
          new Linear(148, 1, MEASURED),
          new Linear(31, 0.39, MEASURED),
          new Linear(33, 1, MEASURED),
          new Linear(670, 130, MEASURED),
          new Linear(81, 18, MEASURED),
          new Linear(64, 54, MEASURED),
          new Linear(45, 18, MEASURED),
          new Linear(570, 185, MEASURED),
          figure(27),
          figure(44),
          new Linear(27, 70, MEASURED),
          figure(51),
          figure(60),
          new Figure(98_000, EVENTS),
          new Figure(950_000, EVENTS),
          figure(259),
          figure(1_840),
          figure(277),
          figure(191),
          figure(160),
          new Figure(122_000, "docs/results/2026-11-26-profiles.md, weir bench --load sink"));

  private static Figure figure(double value) {
    return new Figure(value, MEASURED);
  }
}

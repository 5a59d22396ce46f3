package io.weir.cli.plan;

import io.weir.cli.plan.PlanFigures.Figure;

/**
 * Measured figures of hopping windows, status, events, groups and rows of PostgreSQL. Bytes on
 * topics and of sent entries are compressed, ten in a batch; bytes in a compacted changelog are
 * not.
 *
 * @param hoppingHeap heap of a sensor with hopping windows, for n retained windows
 * @param hoppingEntry sent changelog bytes of such a window
 * @param hoppingKept compacted changelog bytes of such a window
 * @param deletion changelog bytes of a deletion
 * @param statusHeap heap of a sensor's status
 * @param statusKept its compacted changelog bytes
 * @param statusBytes bytes of a record of weir.status
 * @param eventBytes bytes of an event on weir.events or weir.scheduled, for n bytes of its message
 * @param timerHeap heap of a pending scheduled event, for n bytes of its message
 * @param timerEntry its sent changelog bytes
 * @param timerKept its compacted changelog bytes
 * @param foldHeap heap of a key's fold, for n fields
 * @param foldEntry its sent changelog bytes
 * @param foldKept its compacted changelog bytes
 * @param foldBytes bytes of a record of weir.folded, for n fields
 * @param groupHeap heap of a group window, for n sensors
 * @param groupWindowEntry sent changelog bytes of that window without its sensors
 * @param groupPartEntry sent changelog bytes of a sensor's part
 * @param groupKept compacted changelog bytes of the window, for n sensors
 * @param groupPartBytes bytes of a record of weir.group-parts
 * @param groupBytes bytes of a record of weir.groups
 * @param timersPerProcessor scheduled events per second of one busy processor
 * @param foldedPerProcessor folded events per second of one busy processor
 * @param windowRow bytes of a summary in PostgreSQL, with its index
 * @param histogramRow additional bytes of a histogram
 * @param groupRow bytes of a group summary, likewise
 * @param statusRow bytes of a sensor's status, likewise
 * @param entityRow bytes of a field of a key, likewise
 * @param rows rows per second that one process writes to PostgreSQL
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

  /** The figures of the documentation, which were measured on another machine. */
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

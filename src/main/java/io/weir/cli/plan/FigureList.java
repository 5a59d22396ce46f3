package io.weir.cli.plan;

import io.weir.cli.plan.PlanFigures.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The measured figures that a plan uses. For one use by one thread. */
final class FigureList {
  /**
   * A figure with its name.
   *
   * @param each increment for one more; 0 for a constant
   */
  record Named(String name, double value, double each, String source) {
    String line() {
      return String.format(
          Locale.ROOT,
          "  %-28s %14s   %s",
          name.replace('_', ' '),
          each == 0
              ? String.format(Locale.ROOT, "%,.1f", value)
              : String.format(Locale.ROOT, "%,.0f + %.2f n", value, each),
          source);
    }
  }

  private final List<Named> figures = new ArrayList<>();

  static List<Named> of(Plan plan) {
    FigureList list = new FigureList();
    list.windows(plan.figures());
    JobFigures jobs = plan.figures().jobs();
    if (plan.hopping().sensors() > 0) {
      list.hopping(jobs);
    }
    if (plan.input().jobs().status()) {
      list.add("status_heap_bytes", jobs.statusHeap());
      list.add("status_changelog_live_bytes", jobs.statusKept());
      list.add("status_bytes", jobs.statusBytes());
    }
    plan.events().ifPresent(cost -> list.events(cost, jobs));
    if (plan.tables().isPresent()) {
      list.tables(jobs);
    }
    return list.figures;
  }

  private void windows(PlanFigures measured) {
    add("dense_readings_per_second", measured.denseRate());
    add("wide_readings_per_second", measured.wideRate());
    add("reading_bytes", measured.readingBytes());
    add("readings_in_batch", measured.readingsInBatch());
    add("reading_batch_bytes", measured.batchBytes());
    add("window_bytes", measured.windowBytes());
    add("changelog_entry_bytes", measured.changelogBytes());
    add("changelog_live_bytes", measured.changelogLiveBytes());
    add("changelog_kept_window_bytes", measured.changelogKeptWindowBytes());
    add("state_bytes_per_sensor", measured.stateBytes());
    add("state_window_bytes", measured.stateWindowBytes());
    add("restore_bytes_per_second", measured.restoreBytes());
  }

  private void hopping(JobFigures jobs) {
    add("hopping_heap_bytes", jobs.hoppingHeap());
    add("hopping_entry_bytes", jobs.hoppingEntry());
    add("hopping_kept_bytes", jobs.hoppingKept());
    add("deletion_bytes", jobs.deletion());
  }

  private void events(EventsCost cost, JobFigures jobs) {
    add("event_bytes", jobs.eventBytes());
    add("timer_heap_bytes", jobs.timerHeap());
    add("timer_entry_bytes", jobs.timerEntry());
    add("timer_kept_bytes", jobs.timerKept());
    add("timers_per_processor", jobs.timersPerProcessor());
    if (cost.load().folds().isPresent()) {
      add("fold_heap_bytes", jobs.foldHeap());
      add("fold_entry_bytes", jobs.foldEntry());
      add("fold_kept_bytes", jobs.foldKept());
      add("fold_bytes", jobs.foldBytes());
      add("folded_per_processor", jobs.foldedPerProcessor());
    }
    if (cost.groups().isPresent()) {
      add("group_heap_bytes", jobs.groupHeap());
      add("group_window_entry_bytes", jobs.groupWindowEntry());
      add("group_part_entry_bytes", jobs.groupPartEntry());
      add("group_kept_bytes", jobs.groupKept());
      add("group_part_bytes", jobs.groupPartBytes());
      add("group_bytes", jobs.groupBytes());
    }
  }

  private void tables(JobFigures jobs) {
    add("window_row_bytes", jobs.windowRow());
    add("histogram_row_bytes", jobs.histogramRow());
    add("group_row_bytes", jobs.groupRow());
    add("status_row_bytes", jobs.statusRow());
    add("entity_row_bytes", jobs.entityRow());
    add("rows_per_process", jobs.rows());
  }

  private void add(String name, Figure figure) {
    figures.add(new Named(name, figure.value(), 0, figure.source()));
  }

  private void add(String name, Linear figure) {
    figures.add(new Named(name, figure.base(), figure.each(), figure.source()));
  }
}

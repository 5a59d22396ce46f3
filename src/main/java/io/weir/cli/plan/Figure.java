package io.weir.cli.plan;

import java.util.Locale;

/**
 * The measured figures that a plan uses, with their values on other machines. Some are linear in a
 * number n. Bytes on topics and of sent changelog entries are compressed and of one replica; bytes
 * in a compacted changelog are not compressed.
 */
public enum Figure {
  /** Readings per second of a thread, with six or more readings of a sensor in a batch. */
  DENSE_READINGS_PER_SECOND(Part.WINDOWS, 3_350_000, 0, Origin.SPEED + ", dense rows"),

  /** The same with one reading of a sensor in a batch, and a million sensors. */
  WIDE_READINGS_PER_SECOND(Part.WINDOWS, 550_000, 0, Origin.SPEED + ", wide rows"),

  /** Bytes of a reading on weir.readings, compressed, on one replica. */
  READING_BYTES(Part.WINDOWS, 33.3, 0, Origin.FLEET),

  /** Number of readings in a batch in that measurement. */
  READINGS_IN_BATCH(
      Part.WINDOWS, 7.25, 0, "20,000 readings a second of one gateway, in 20 ms to 64 partitions"),

  /** Bytes of a batch on weir.readings without its readings. */
  READING_BATCH_BYTES(Part.WINDOWS, 120, 0, Origin.SIZING),

  /** Bytes of a summary on weir.windows, likewise. */
  WINDOW_BYTES(Part.WINDOWS, 38.3, 0, Origin.FLEET),

  /** Sent changelog bytes of a sensor's change by one reading, likewise. */
  CHANGELOG_ENTRY_BYTES(Part.WINDOWS, 5.1, 0, Origin.FLEET),

  /** Compacted changelog bytes of a sensor. */
  CHANGELOG_LIVE_BYTES(Part.WINDOWS, 105, 0, Origin.FLEET),

  /** Compacted changelog bytes of a closed window that is retained for amendment. */
  CHANGELOG_KEPT_WINDOW_BYTES(Part.WINDOWS, 60, 0, Origin.SPEED + ", kept"),

  /** Heap of a sensor. */
  STATE_BYTES_PER_SENSOR(Part.WINDOWS, 360, 0, Origin.SPEED + ", wide rows"),

  /** Heap of a closed window that is retained for amendment. */
  STATE_WINDOW_BYTES(Part.WINDOWS, 88, 0, Origin.SPEED + ", kept"),

  /** Changelog bytes per second of a restore. */
  RESTORE_BYTES_PER_SECOND(
      Part.WINDOWS, 48 << 20, 0, Origin.SIZING + ", 440 MiB in 9.2 s, the start of java in it"),

  /** Heap of a sensor with hopping windows, for n retained windows. */
  HOPPING_HEAP_BYTES(Part.HOPPING, 435, 119, Origin.SIZING),

  /** Sent changelog bytes of such a window. */
  HOPPING_ENTRY_BYTES(Part.HOPPING, 42, 0, Origin.SIZING),

  /** Compacted changelog bytes of such a window. */
  HOPPING_KEPT_BYTES(Part.HOPPING, 57, 0, Origin.SIZING),

  /** Changelog bytes of a deletion. */
  DELETION_BYTES(Part.HOPPING, 22, 0, Origin.SIZING),

  /** Heap of a sensor's status. */
  STATUS_HEAP_BYTES(Part.STATUS, 72, 0, Origin.SIZING),

  /** Its compacted changelog bytes. */
  STATUS_CHANGELOG_LIVE_BYTES(Part.STATUS, 31, 0, Origin.SIZING),

  /** Bytes of a record of weir.status. */
  STATUS_BYTES(Part.STATUS, 60, 0, Origin.SIZING),

  /** Bytes of an event on weir.events or weir.scheduled, for n bytes of its message. */
  EVENT_BYTES(Part.EVENTS, 13, 0.27, Origin.SIZING),

  /** Heap of a pending scheduled event, for n bytes of its message. */
  TIMER_HEAP_BYTES(Part.EVENTS, 148, 1, Origin.SIZING),

  /** Its sent changelog bytes. */
  TIMER_ENTRY_BYTES(Part.EVENTS, 31, 0.39, Origin.SIZING),

  /** Its compacted changelog bytes. */
  TIMER_KEPT_BYTES(Part.EVENTS, 33, 1, Origin.SIZING),

  /** Scheduled events per second of one busy processor. */
  TIMERS_PER_PROCESSOR(Part.EVENTS, 98_000, 0, Origin.EVENTS),

  /** Heap of a key's fold, for n fields. */
  FOLD_HEAP_BYTES(Part.FOLDS, 670, 130, Origin.SIZING),

  /** Its sent changelog bytes. */
  FOLD_ENTRY_BYTES(Part.FOLDS, 81, 18, Origin.SIZING),

  /** Its compacted changelog bytes. */
  FOLD_KEPT_BYTES(Part.FOLDS, 64, 54, Origin.SIZING),

  /** Bytes of a record of weir.folded, for n fields. */
  FOLD_BYTES(Part.FOLDS, 45, 18, Origin.SIZING),

  /** Folded events per second of one busy processor. */
  FOLDED_PER_PROCESSOR(Part.FOLDS, 950_000, 0, Origin.EVENTS),

  /** Heap of a group window, for n sensors. */
  GROUP_HEAP_BYTES(Part.GROUPS, 570, 185, Origin.SIZING),

  /** Sent changelog bytes of that window without its sensors. */
  GROUP_WINDOW_ENTRY_BYTES(Part.GROUPS, 27, 0, Origin.SIZING),

  /** Sent changelog bytes of a sensor's part. */
  GROUP_PART_ENTRY_BYTES(Part.GROUPS, 44, 0, Origin.SIZING),

  /** Compacted changelog bytes of the window, for n sensors. */
  GROUP_KEPT_BYTES(Part.GROUPS, 27, 70, Origin.SIZING),

  /** Bytes of a record of weir.group-parts. */
  GROUP_PART_BYTES(Part.GROUPS, 51, 0, Origin.SIZING),

  /** Bytes of a record of weir.groups. */
  GROUP_BYTES(Part.GROUPS, 60, 0, Origin.SIZING),

  /** Bytes of a summary in PostgreSQL, with its index. */
  WINDOW_ROW_BYTES(Part.TABLES, 259, 0, Origin.SIZING),

  /** Additional bytes of a histogram. */
  HISTOGRAM_ROW_BYTES(Part.TABLES, 1_840, 0, Origin.SIZING),

  /** Bytes of a group summary, likewise. */
  GROUP_ROW_BYTES(Part.TABLES, 277, 0, Origin.SIZING),

  /** Bytes of a sensor's status, likewise. */
  STATUS_ROW_BYTES(Part.TABLES, 191, 0, Origin.SIZING),

  /** Bytes of a field of a key, likewise. */
  ENTITY_ROW_BYTES(Part.TABLES, 160, 0, Origin.SIZING),

  /** Rows per second that one process writes to PostgreSQL. */
  ROWS_PER_PROCESS(
      Part.TABLES, 122_000, 0, "docs/results/2026-11-26-profiles.md, weir bench --load sink");

  /** The part of a plan that uses a figure. */
  enum Part {
    WINDOWS,
    HOPPING,
    STATUS,
    EVENTS,
    FOLDS,
    GROUPS,
    TABLES;

    boolean isIn(Plan plan) {
      return switch (this) {
        case WINDOWS -> true;
        case HOPPING -> plan.hopping().sensors() > 0;
        case STATUS -> plan.input().jobs().status();
        case EVENTS -> plan.events().isPresent();
        case FOLDS -> plan.events().flatMap(cost -> cost.load().folds()).isPresent();
        case GROUPS -> plan.events().flatMap(EventsCost::groups).isPresent();
        case TABLES -> plan.tables().isPresent();
      };
    }
  }

  private static final class Origin {
    static final String SIZING = "docs/results/2026-11-25-sizing.md";
    static final String SPEED = "docs/results/2026-11-26-speed.md, two cores";
    static final String FLEET = SIZING + ", 20,000 sensors at 1 Hz";
    static final String EVENTS = "docs/results/2026-11-26-speed.md, events, CPU s a million";
  }

  private final Part part;
  private final Linear measured;

  Figure(Part part, double base, double each, String source) {
    this.part = part;
    this.measured = new Linear(base, each, source);
  }

  Part part() {
    return part;
  }

  /** Its value on other machines. */
  Linear measured() {
    return measured;
  }

  /** Its name in JSON. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package io.weir.lab.chaos;

import java.util.EnumSet;
import java.util.Locale;

/** What the oracle has to notice: the processes are started with it, on purpose. */
public enum PlantedBug {
  NONE,
  /** Batches lose their sequence before they are judged. */
  NO_DEDUPLICATION,
  /** Now and then a window is emitted twice. */
  DOUBLED_EMISSION,
  /** Late readings go nowhere. */
  LATE_DROPPED,
  /** processing.guarantee is at_least_once. */
  AT_LEAST_ONCE,
  /**
   * A thawed member emits what it knows, in a transaction without offsets, which nobody refuses.
   */
  REPLACED_MEMBER_SPEAKS,
  /** Changelog records carry the largest append time, which brokers refuse if it is far ahead. */
  CHANGELOG_BY_APPEND_TIME,
  /** Append times never go back: time is the largest one that was seen. */
  LARGEST_APPEND_TIME,
  /** What a redrive sends is not compared with the original boot and sequence. */
  REDRIVE_WITHOUT_SEQUENCE,
  /** Nobody looks whether a batch is missing before one that attests that sensors are complete. */
  ATTESTED_OVER_A_GAP,
  /** A window that is final is emitted once more now and then, as amended. */
  FINAL_AMENDED,
  /** Now and then a record of status goes nowhere. */
  STATUS_LOST,
  /** Now and then the events of the alarms that turned go nowhere. */
  ALARMS_LOST,
  /** A publisher that ran out of memory once never sends again. */
  PUBLISHER_WEDGES,
  /** Nobody looks whether state and topics belong together. */
  NO_START_CHECKS,
  /** At a reset, an application goes on under the old id. */
  RESET_BESIDE_OLD,
  /** What was withheld is sent again with --force, also for windows of an earlier life. */
  REDRIVE_FORCED,
  /** Fenced and stale batches are sent again without their sequences. */
  REDRIVE_STRIPPED,
  /** processing.guarantee of weir events is at_least_once. */
  EVENTS_AT_LEAST_ONCE,
  /** Events are due a second and a half before their time. */
  TIMERS_EARLY,
  /** Now and then a fold is emitted twice. */
  FOLD_DOUBLED,
  /** A folded event has lost the times of its fields when weir events reads it. */
  FOLD_WITHOUT_TIMES,
  /** weir events looks at no signature. */
  SIGNATURE_UNCHECKED,
  /** Now and then a part of a group goes nowhere. */
  GROUP_PART_LOST,
  /** An end of a handler that fails deletes its key, and leaves no dead letter. */
  FAILED_END_LEAVES_NOTHING,
  /** The timer that called a handler is gone although the call failed. */
  FAILED_TIMER_IS_CONSUMED,
  /** An event whose call fails is not handled again, and is no dead letter. */
  RETRY_LOST,
  /** The following events of a key do not wait for the one that is handled again. */
  RETRY_OVERTAKEN,
  /** What a handler sends is sent at once, and stays where its call fails. */
  SEND_OUTSIDE_TRANSACTION,
  /** All runs of weir send events have one id. */
  SENDERS_SHARE_AN_ID,
  /** The collector moves its cursors and keeps nothing of what it is about to send. */
  CURSOR_BEFORE_DELIVERY,
  /** The sink's offsets are two records further than its rows. */
  SINK_OFFSETS_AHEAD,
  /** The sink never replaces a row. */
  SINK_KEEPS_FIRST,
  /** The offsets of an import are committed before its transaction. */
  IMPORT_OFFSETS_OUTSIDE,
  /** Batches of an import whose transaction was aborted are written again with the next. */
  IMPORT_BATCH_KEPT,
  /** Dead letters of an import are written at once, without the offsets of their records. */
  IMPORT_LETTER_WITHOUT_OFFSET;

  /** As it is typed: no-deduplication. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is one of the applications, and not of the gateways. */
  boolean isOfApplications() {
    return !EnumSet.of(NONE, PUBLISHER_WEDGES, RESET_BESIDE_OLD, REDRIVE_FORCED, REDRIVE_STRIPPED)
            .contains(this)
        && !isOfEvents()
        && !isOfPostgres()
        && !isOfImports();
  }

  /** Whether it is one of {@code weir events}, of handlers, or of what sends to them. */
  boolean isOfEvents() {
    return EnumSet.range(EVENTS_AT_LEAST_ONCE, SENDERS_SHARE_AN_ID).contains(this);
  }

  /** Whether it is one of the clients of {@code weir events}. */
  boolean isOfEventClients() {
    return EnumSet.range(EVENTS_AT_LEAST_ONCE, GROUP_PART_LOST).contains(this);
  }

  /** Whether it is one of {@code weir sink} or {@code weir collect}. */
  boolean isOfPostgres() {
    return EnumSet.range(CURSOR_BEFORE_DELIVERY, SINK_KEEPS_FIRST).contains(this);
  }

  /** Whether it is one of {@code weir import}. */
  boolean isOfImports() {
    return EnumSet.range(IMPORT_OFFSETS_OUTSIDE, IMPORT_LETTER_WITHOUT_OFFSET).contains(this);
  }
}

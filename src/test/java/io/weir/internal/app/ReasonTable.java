package io.weir.internal.app;

import io.weir.internal.event.EventRefusal;
import io.weir.reading.RejectReason;

/** The reasons of dead letters as texts: for docs/reference/dead-letters.md. */
final class ReasonTable {
  private ReasonTable() {}

  /** A Markdown table of the reasons for readings and their batches, in the order of the checks. */
  static String ofReadings() {
    StringBuilder table =
        new StringBuilder("| reason | condition | dead letter contains |\n|---|---|---|\n");
    for (RejectReason reason : RejectReason.values()) {
      String content =
          switch (reason.scope()) {
            case RECORD -> "the record";
            case BATCH -> "the batch";
            case READING ->
                reason == RejectReason.WITHHELD
                    ? "not a dead letter: the readings are on `weir.late`"
                    : "the refused readings of the batch";
          };
      row(reason.name(), reason.meaning(), table);
      table.append(content).append(" |\n");
    }
    return table.toString();
  }

  /** A Markdown table of the reasons for single events, in the order of the checks. */
  static String ofEvents() {
    StringBuilder table = new StringBuilder("| reason | condition |\n|---|---|\n");
    for (EventRefusal reason : EventRefusal.values()) {
      row(reason.name(), reason.meaning(), table);
      table.append('\n');
    }
    return table.toString().replace(" | \n", " |\n");
  }

  private static void row(String reason, String meaning, StringBuilder table) {
    table.append("| ").append(reason).append(" | ").append(meaning).append(" | ");
  }
}

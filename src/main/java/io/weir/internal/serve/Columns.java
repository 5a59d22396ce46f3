package io.weir.internal.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.internal.json.MessageJson;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Windows as columns, for charts. Where there are more than are wanted, those of a stretch of time
 * are merged: the smallest minimum, the largest maximum, exact counts. A stretch without windows
 * stays a gap.
 */
final class Columns {
  private final List<Row> rows;

  /** A window, or several in a row. */
  private static final class Row {
    final long startMs;
    long endMs;
    long count;
    double sum;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    long bad;
    int revision;
    boolean isFinal = true;

    Row(long startMs) {
      this.startMs = startMs;
    }

    void add(WindowSummary window) {
      endMs = Math.max(endMs, window.getWindowEndMs());
      if (window.getCount() != 0) {
        count += window.getCount();
        sum += window.getSum();
        min = Math.min(min, window.getMin());
        max = Math.max(max, window.getMax());
      }
      bad += window.getBadCount();
      revision = Math.max(revision, window.getRevision());
      isFinal &= window.getIsFinal();
    }
  }

  private Columns(List<Row> rows) {
    this.rows = rows;
  }

  /**
   * Merges windows.
   *
   * @param windows by time
   * @param points how many are wanted at the most
   */
  static Columns of(List<WindowSummary> windows, int points) {
    List<Row> rows = new ArrayList<>();
    if (!windows.isEmpty()) {
      long first = windows.get(0).getWindowStartMs();
      long span = windows.get(windows.size() - 1).getWindowEndMs() - first;
      long stretchMs = windows.size() <= points ? 1 : Math.max(1, (span + points - 1) / points);
      long stretch = -1;
      for (WindowSummary window : windows) {
        long its = (window.getWindowStartMs() - first) / stretchMs;
        if (its != stretch) {
          stretch = its;
          rows.add(new Row(window.getWindowStartMs()));
        }
        rows.get(rows.size() - 1).add(window);
      }
    }
    return new Columns(rows);
  }

  /** Writes the columns as fields of the object that is open. */
  void write(JsonGenerator json) throws IOException {
    column("start_ms", row -> json.writeNumber(row.startMs), json);
    column("end_ms", row -> json.writeNumber(row.endMs), json);
    column("count", row -> json.writeNumber(row.count), json);
    column("min", row -> value(row, row.min, json), json);
    column("max", row -> value(row, row.max, json), json);
    column("mean", row -> value(row, row.sum / row.count, json), json);
    column("bad_count", row -> json.writeNumber(row.bad), json);
    column("revision", row -> json.writeNumber(row.revision), json);
    column("final", row -> json.writeBoolean(row.isFinal), json);
  }

  /** Writes a cell. */
  @FunctionalInterface
  private interface Cell {
    void write(Row row) throws IOException;
  }

  private void column(String name, Cell cell, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart(name);
    for (Row row : rows) {
      cell.write(row);
    }
    json.writeEndArray();
  }

  private static void value(Row row, double value, JsonGenerator json) throws IOException {
    if (row.count == 0) {
      json.writeNull();
    } else {
      MessageJson.writeDouble(value, json);
    }
  }
}

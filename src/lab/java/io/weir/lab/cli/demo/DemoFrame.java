package io.weir.lab.cli.demo;

import io.weir.cli.screen.Numbers;
import io.weir.cli.screen.Row;
import io.weir.cli.screen.Style;
import io.weir.lab.AuditTally;
import io.weir.lab.cli.demo.LiveSensors.View;
import io.weir.reading.RejectReason;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** The live view as rows of text: a pure function of what there is to see and of the room. */
final class DemoFrame {
  private static final int LABEL = 13;
  private static final int NUMBER_END = 25;
  private static final int SPARKLINE = 28;
  private static final int MAX_WIDTH = 120;
  private static final int ROWS_WITHOUT_SENSORS = 20;
  private static final int ROWS_OF_BLANKS = 4;

  private final DemoSnapshot now;
  private final int width;
  private final boolean airy;
  private final List<Row> rows = new ArrayList<>();

  private DemoFrame(DemoSnapshot now, int columns, int lines) {
    this.now = now;
    this.width = Math.min(columns, MAX_WIDTH);
    this.airy = lines > ROWS_WITHOUT_SENSORS + now.sensors().size() + 1 + ROWS_OF_BLANKS;
  }

  /** The rows, at most {@code lines - 1} of them, and meant for {@code columns} columns. */
  static List<Row> of(DemoSnapshot now, int columns, int lines) {
    DemoFrame frame = new DemoFrame(now, columns, lines);
    frame.title();
    frame.rates();
    frame.balance();
    frame.events();
    frame.faults();
    frame.sensors();
    return frame.rows.subList(0, Math.max(0, Math.min(frame.rows.size(), lines - 1)));
  }

  private Row row() {
    Row row = new Row();
    rows.add(row);
    return row;
  }

  private void gap() {
    if (airy) {
      row();
    }
  }

  private void title() {
    row()
        .add(Style.BOLD, "weir demo ")
        .add(Style.GOOD, Numbers.clock(now.elapsedMs()))
        .add(Style.DIM, "  " + now.setup())
        .endingAt(width, Style.DIM, now.phase().words());
    gap();
  }

  private void rates() {
    rate("readings/s", now.readings());
    rate("windows/s", now.windows());
    row()
        .add("lag")
        .endingAt(NUMBER_END, Style.BOLD, Numbers.grouped(now.lagNow()))
        .at(SPARKLINE)
        .add(Style.WINDOWS, Sparkline.fromZero(now.lag(), sparklineWidth()))
        .endingAt(width, Style.DIM, "batches not yet committed");
    gap();
  }

  private void rate(String label, DemoSnapshot.Rates rates) {
    row()
        .add(label)
        .endingAt(NUMBER_END, Style.BOLD, Numbers.grouped(rates.perSecond()))
        .at(SPARKLINE)
        .add(Style.WINDOWS, Sparkline.fromZero(rates.history(), width - SPARKLINE));
  }

  private int sparklineWidth() {
    return Math.max(0, width - SPARKLINE - 27);
  }

  private void balance() {
    BalanceShares shares = new BalanceShares(now.balance(), now.phase() == DemoPhase.DONE);
    row()
        .add("offered")
        .endingAt(NUMBER_END, Style.BOLD, Numbers.grouped(now.balance().offered()))
        .at(SPARKLINE)
        .addAll(shares.bar(width - SPARKLINE));
    Row terms = terms(shares, false);
    rows.add(terms.width() <= width ? terms : terms(shares, true));
    Row rejects = rejects(false);
    rows.add(rejects.width() <= width ? rejects : rejects(true));
    gap();
  }

  private static Row terms(BalanceShares shares, boolean tight) {
    Row row = new Row().add(Style.DIM, "=");
    for (BalanceShares.Term term : shares.terms()) {
      row.add(tight ? " " : "  ").add(term.style(), "\u25a0 ").add(term.name() + " ");
      row.add(Style.BOLD, number(term.readings(), tight));
    }
    return row;
  }

  private Row rejects(boolean tight) {
    Row row = new Row().add("rejected");
    AuditTally tally = now.tally();
    if (tally.rejected() == 0 && tally.poisonRecords() == 0) {
      return row.at(LABEL).add(Style.DIM, "nothing yet");
    }
    row.at(tight ? 0 : LABEL - 2);
    new TreeMap<>(tally.rejectedByReason())
        .forEach((reason, readings) -> reject(row, tight, readings, reason.name()));
    if (tally.poisonRecords() > 0) {
      String name = RejectReason.UNDECODABLE.name();
      reject(row, tight, tally.poisonRecords(), tight ? name : name + " records");
    }
    return row;
  }

  private static void reject(Row row, boolean tight, long count, String name) {
    row.add(tight ? " " : "  ").add(Style.REJECTED, number(count, tight));
    row.add(" " + name.toLowerCase(Locale.ROOT));
  }

  private static String number(long number, boolean tight) {
    return tight ? Numbers.compact(number) : Numbers.grouped(number);
  }

  private void events() {
    LiveEvents.View events = now.events();
    event("silent", events.silent(), events.lastStatus(), "sensors, on weir.status");
    event("alarms", events.active(), events.lastAlarm(), "active, on weir.events");
    String folded = events.lastFold().isEmpty() ? "" : "in " + events.folds() + ": ";
    event("events", events.events(), folded + events.lastFold(), "folded on weir.folded");
    gap();
  }

  private void event(String label, long number, String newest, String what) {
    Row row = row().add(label).endingAt(NUMBER_END, Style.BOLD, Numbers.grouped(number));
    row.at(SPARKLINE).add(newest.isEmpty() ? Style.DIM : Style.PLAIN, newest);
    if (row.width() + what.length() + 2 <= width) {
      row.endingAt(width, Style.DIM, what);
    }
  }

  private void faults() {
    row()
        .add(Style.BOLD, "made to go wrong")
        .endingAt(width, Style.DIM, "readings touched, and what became of them");
    for (FaultReport fault : now.faults()) {
      fault(fault);
    }
    gap();
  }

  private void fault(FaultReport fault) {
    String gateway = fault.fault().gateway().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    Row row = row();
    row.add(fault.on() ? Style.ACTIVE : Style.DIM, fault.on() ? "\u25cf " : "\u25cb ")
        .add(fault.on() ? Style.ACTIVE : Style.PLAIN, gateway)
        .at(LABEL)
        .add(fault.on() ? Style.PLAIN : Style.DIM, fault.what());
    if (fault.sent() > 0) {
      boolean settled = fault.settled();
      String found = settled ? "" : Numbers.grouped(fault.found()) + " of ";
      row.endingAt(
          width,
          settled ? Style.GOOD : Style.DIM,
          found
              + Numbers.grouped(fault.sent())
              + " "
              + fault.as().toLowerCase(Locale.ROOT)
              + (settled ? " \u2713" : "  "));
    }
  }

  private void sensors() {
    row()
        .add(Style.BOLD, "a sensor of each")
        .endingAt(width, Style.DIM, "means of its windows, as they are on weir.windows");
    for (View view : now.sensors()) {
      sensor(view);
    }
  }

  private static String minute(WindowSummary rollup) {
    return "a minute: "
        + Numbers.tenths(rollup.getMin())
        + " to "
        + Numbers.tenths(rollup.getMax());
  }

  private void sensor(View view) {
    double[] means = view.means();
    String name = view.sensor().gateway().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    Row row = row().add("  " + name).at(LABEL).add(view.sensor().id());
    if (means.length == 0) {
      row.at(SPARKLINE).add(Style.DIM, "no window yet");
      return;
    }
    String mean = Numbers.tenths(means[means.length - 1]) + " " + view.sensor().signal().unit();
    row.endingAt(SPARKLINE + 9, Style.BOLD, mean)
        .at(SPARKLINE + 11)
        .add(Style.WINDOWS, Sparkline.fromSmallest(means, Math.max(0, width - SPARKLINE - 33)));
    if (view.emittedAgain() > 0) {
      row.endingAt(width, Style.DIM, view.emittedAgain() + " completed later");
    } else if (view.rollup() != null) {
      row.endingAt(width, Style.DIM, minute(view.rollup()));
    }
  }
}

package io.weir.lab.cli.demo;

import io.weir.cli.screen.Row;
import io.weir.cli.screen.Style;
import io.weir.lab.Balance;
import java.util.List;

/** The terms of a balance, and their shares of what was offered as pieces of a bar. */
final class BalanceShares {
  private static final String BLOCK = "\u2588";

  private final Balance balance;
  private final List<Term> terms;

  /** A term; {@code readings} may be below zero where more came out than went in. */
  record Term(String name, Style style, long readings) {}

  /**
   * @param done whether nothing is to come any more: what is open until then is missing
   */
  BalanceShares(Balance balance, boolean done) {
    this.balance = balance;
    this.terms =
        List.of(
            new Term("in windows", Style.WINDOWS, balance.inWindows()),
            new Term("late", Style.LATE, balance.late()),
            new Term("rejected", Style.REJECTED, balance.rejected()),
            new Term("duplicates", Style.DUPLICATES, balance.duplicates()),
            done
                ? new Term("missing", Style.REJECTED, balance.missing())
                // Brokers' answers may come to the fleet later than the records to the auditor.
                : new Term("open", Style.ON_THE_WAY, Math.max(0, balance.missing())));
  }

  List<Term> terms() {
    return terms;
  }

  /** A bar; what is there at all is seen, however small its share. */
  Row bar(int width) {
    Row bar = new Row();
    if (balance.offered() <= 0) {
      return bar;
    }
    int small = 0;
    for (Term term : terms.subList(1, terms.size())) {
      small += columns(term, width);
    }
    bar.add(Style.WINDOWS, BLOCK.repeat(Math.max(0, width - small)));
    for (Term term : terms.subList(1, terms.size())) {
      bar.add(term.style(), BLOCK.repeat(columns(term, width)));
    }
    return bar;
  }

  private int columns(Term term, int width) {
    if (term.readings() <= 0) {
      return 0;
    }
    double share = Math.min(1, (double) term.readings() / balance.offered());
    return (int) Math.max(1, Math.round(share * (width - terms.size())));
  }
}

package io.weir.cli;

import io.weir.cli.ledger.LedgerFeed;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.text.TextForm;
import io.weir.reading.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Sends files with a ledger, one after the other, and prints their counts. */
record EdgeFiles(
    List<String> files, TextForm form, Limits limits, BooleanSupplier stopped, PrintWriter err) {

  /** Sends the readings that no earlier run sent; returns whether all are acknowledged. */
  boolean send(LedgerFeed feed, Optional<RejectsWriter> rejects) throws IOException {
    boolean whole = true;
    for (String file : brokenOffFirst(feed)) {
      whole = whole && !stopped.getAsBoolean() && send(file, feed, rejects);
    }
    err.printf(
        Locale.ROOT,
        "%,d readings acknowledged, %,d sent by an earlier run%s%n",
        feed.acknowledged(),
        feed.sentBefore(),
        whole ? "" : "; some are not acknowledged: run it again to continue");
    err.flush();
    return whole;
  }

  private boolean send(String file, LedgerFeed feed, Optional<RejectsWriter> rejects)
      throws IOException {
    Pipes noPipes = Pipes.of(InputStream.nullInputStream());
    long before = feed.acknowledged() + feed.sentBefore();
    try (ReadingTextReader reader = ReadingTextReader.open(List.of(file), noPipes, form, limits)) {
      boolean whole = feed.send(nameOf(file), reader, rejects);
      reader.unitHint(true).ifPresent(hint -> err.println("weir edge: " + hint));
      TextSummary.print(reader, err);
      boolean nothing = feed.acknowledged() + feed.sentBefore() == before;
      if (whole && nothing && reader.bad() > 0) {
        throw new StartRefusedException(TextSummary.nothingGood(reader, List.of(file)));
      }
      return whole;
    }
  }

  private List<String> brokenOffFirst(LedgerFeed feed) throws IOException {
    List<String> ordered = new ArrayList<>(files);
    for (String file : files) {
      if (feed.brokenOff().equals(Optional.of(nameOf(file)))) {
        ordered.remove(file);
        ordered.add(0, file);
      }
    }
    return ordered;
  }

  /** Files are identified by their real path. */
  private static String nameOf(String file) throws IOException {
    return Path.of(file).toRealPath().toString();
  }
}

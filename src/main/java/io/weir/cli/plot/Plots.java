package io.weir.cli.plot;

import io.weir.cli.output.Results;
import io.weir.cli.screen.Row;
import io.weir.cli.screen.Terminal;
import java.time.ZoneId;
import java.util.Optional;

/** Draws pictures: with colours and the width of the terminal, or 80 columns of plain text. */
public final class Plots {
  private Plots() {}

  /** Draws the windows on standard output. */
  public static void draw(WindowSeries series, ZoneId zone, Results out) {
    Optional<Terminal.Size> terminal = Terminal.sizeOfStandardOutput();
    boolean styled = terminal.isPresent() && !Terminal.isPlainWanted(System.getenv());
    int width = terminal.orElse(Terminal.Size.USUAL).columns();
    for (Row row : TerminalPlot.of(series, zone, width)) {
      out.styled(styled ? row.styled(width) : row.text(width));
    }
    out.flush();
  }
}

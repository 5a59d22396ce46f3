package io.weir.lab.cli.demo;

import io.weir.cli.screen.Row;
import io.weir.cli.screen.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * A view that is drawn over itself, at the foot of what the terminal already shows. What others
 * write to standard error meanwhile is shown above it.
 */
final class LiveScreen implements DemoView {
  private static final String HIDE_CURSOR = "\u001b[?25l";
  private static final String SHOW_CURSOR = "\u001b[?25h";
  private static final String WRAP_OFF = "\u001b[?7l";
  private static final String WRAP_ON = "\u001b[?7h";
  // Terminals that know these show a frame whole or not at all; others ignore them.
  private static final String FRAME_BEGINS = "\u001b[?2026h";
  private static final String FRAME_ENDS = "\u001b[?2026l";
  private static final String CLEAR_LINE_REST = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final String CLEAR_ALL = "\u001b[H\u001b[2J";

  private final PrintStream terminal;
  private final Supplier<Terminal.Size> size;
  private final Overheard overheard = new Overheard();
  private final PrintStream ear = new PrintStream(overheard, true, StandardCharsets.UTF_8);
  private Terminal.Size lastSize;
  private int drawnRows;
  private boolean live;
  private boolean closed;

  /** What is written to standard error while the screen is live, in whole lines. */
  private static final class Overheard extends ByteArrayOutputStream {
    synchronized String takeLines() {
      int end = count;
      while (end > 0 && buf[end - 1] != '\n') {
        end--;
      }
      String lines = new String(buf, 0, end, StandardCharsets.UTF_8);
      System.arraycopy(buf, end, buf, 0, count - end);
      count -= end;
      return lines;
    }
  }

  /**
   * @param terminal where to draw: standard error, which others get back at the end
   * @param size of the terminal, asked before every frame
   */
  LiveScreen(PrintStream terminal, Supplier<Terminal.Size> size) {
    this.terminal = terminal;
    this.size = size;
  }

  @Override
  public synchronized void say(String line) {
    (live ? ear : terminal).println(line);
    terminal.flush();
  }

  private void goLive() {
    live = true;
    System.setErr(ear);
    write(HIDE_CURSOR);
  }

  @Override
  public synchronized void show(DemoSnapshot now) {
    if (closed) {
      return;
    }
    if (!live) {
      goLive();
    }
    Terminal.Size room = size.get();
    StringBuilder out = new StringBuilder(FRAME_BEGINS).append(WRAP_OFF);
    // Rows that were wrapped by a narrower terminal cannot be counted any more.
    out.append(lastSize == null || lastSize.equals(room) ? toFrameTop() : CLEAR_ALL);
    lastSize = room;
    String above = overheard.takeLines();
    if (!above.isEmpty()) {
      out.append(CLEAR_BELOW).append(above.replace("\n", "\r\n"));
    }
    // The last column stays free: after it, clearing the rest of the line would take it away.
    int columns = room.columns() - 1;
    List<Row> rows = DemoFrame.of(now, columns, room.lines());
    rows.forEach(row -> out.append(row.styled(columns)).append(CLEAR_LINE_REST + "\r\n"));
    drawnRows = rows.size();
    write(out.append(CLEAR_BELOW).append(WRAP_ON).append(FRAME_ENDS).toString());
  }

  private String toFrameTop() {
    return drawnRows == 0 ? "\r" : "\r\u001b[" + drawnRows + "A";
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!live) {
      return;
    }
    System.setErr(terminal);
    write(WRAP_ON + SHOW_CURSOR + overheard.takeLines());
  }

  private void write(String text) {
    terminal.print(text);
    terminal.flush();
  }
}

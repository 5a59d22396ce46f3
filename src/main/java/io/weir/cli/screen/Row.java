package io.weir.cli.screen;

import io.weir.internal.text.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds one line of the screen from pieces of text with styles. Every character counts as one
 * column.
 */
public final class Row {
  private record Piece(Style style, String text) {}

  /** Receives pieces of text from left to right, each with the column where it begins. */
  public interface PieceSink {
    void piece(int column, Style style, String text);
  }

  private final List<Piece> pieces = new ArrayList<>();
  private int width;

  public Row add(Style style, String text) {
    String shown = Printable.line(text);
    pieces.add(new Piece(style, shown));
    width += shown.length();
    return this;
  }

  public Row add(String text) {
    return add(Style.PLAIN, text);
  }

  public Row addAll(Row other) {
    other.pieces.forEach(piece -> add(piece.style(), piece.text()));
    return this;
  }

  /** Moves to a column, unless the row is longer already. */
  public Row at(int column) {
    return add(" ".repeat(Math.max(0, column - width)));
  }

  /** Adds text that ends before a column, with at least one blank before it. */
  public Row endingAt(int column, Style style, String text) {
    return at(Math.max(width + (width == 0 ? 0 : 1), column - text.length())).add(style, text);
  }

  public int width() {
    return width;
  }

  /** The text without styles, truncated to a width. */
  public String text(int maxWidth) {
    return render(maxWidth, false);
  }

  /** The text with its styles, truncated to a width. */
  public String styled(int maxWidth) {
    return render(maxWidth, true);
  }

  private String render(int maxWidth, boolean styled) {
    StringBuilder line = new StringBuilder();
    forEachPiece(maxWidth, (column, style, text) -> line.append(styled ? style.paint(text) : text));
    return styled ? line.toString() : line.toString().stripTrailing();
  }

  /** Passes the pieces, truncated to a width, to {@code sink}. */
  public void forEachPiece(int maxWidth, PieceSink sink) {
    int column = 0;
    for (Piece piece : pieces) {
      String text = piece.text().substring(0, Math.min(maxWidth - column, piece.text().length()));
      sink.piece(column, piece.style(), text);
      column += text.length();
    }
  }
}

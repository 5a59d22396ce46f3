package io.weir.lab.cli.demo;

import io.weir.cli.screen.Row;
import io.weir.cli.screen.Style;
import java.util.List;
import java.util.Locale;

/** Rows of a terminal as an SVG picture, in the colours of the terminal. */
final class SvgScreen {
  private static final double COLUMN = 7.8;
  private static final int LINE = 18;
  private static final int MARGIN = 16;
  private static final double BASELINE = 13;

  private static final String FONT =
      "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

  private SvgScreen() {}

  /**
   * The picture as text.
   *
   * @param columns maximum width of rows
   */
  static String of(List<Row> rows, int columns) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$.0f %2$d\" width=\"%1$.0f\""
                + " height=\"%2$d\">%n",
            2 * MARGIN + columns * COLUMN,
            2 * MARGIN + rows.size() * LINE));
    svg.append("<style>text{font:13px ").append(FONT).append(";white-space:pre}</style>\n");
    svg.append("<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16191d\"/>\n");
    for (int line = 0; line < rows.size(); line++) {
      double y = MARGIN + line * LINE + BASELINE;
      rows.get(line)
          .forEachPiece(columns, (column, style, text) -> piece(svg, y, column, style, text));
    }
    return svg.append("</svg>\n").toString();
  }

  /** Sets the length of the text, so that columns are aligned in any font. */
  private static void piece(StringBuilder svg, double y, int column, Style style, String text) {
    if (text.isBlank()) {
      return;
    }
    int blanks = text.length() - text.stripLeading().length();
    String shown = text.strip();
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.0f\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" %s>%s"
                + "</text>%n",
            MARGIN + (column + blanks) * COLUMN,
            y,
            shown.length() * COLUMN,
            style.svg(),
            escaped(shown)));
  }

  /** Escapes the text of an element. XML does not allow control characters. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replaceAll("[\\p{Cntrl}\ufffe\uffff]", "\ufffd");
  }
}

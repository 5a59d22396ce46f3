package io.weir.lab.cli.demo;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The rows of a query as lines with columns below one another, like psql's. */
final class TextRows {
  private TextRows() {}

  /** A line of names, and one for each row. */
  static List<String> of(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    List<String[]> cells = new ArrayList<>();
    String[] names = new String[columns];
    for (int i = 0; i < columns; i++) {
      names[i] = rows.getMetaData().getColumnLabel(i + 1);
    }
    cells.add(names);
    while (rows.next()) {
      String[] row = new String[columns];
      for (int i = 0; i < columns; i++) {
        String text = rows.getString(i + 1);
        row[i] = text == null ? "" : text;
      }
      cells.add(row);
    }
    return lines(cells, columns);
  }

  private static List<String> lines(List<String[]> cells, int columns) {
    int[] widths = new int[columns];
    for (String[] row : cells) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : cells) {
      StringBuilder line = new StringBuilder(" ");
      for (int i = 0; i < columns; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}

package io.weir.peers.sql;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/** Prints the final rows of the last statement of a file: of its changes, those that remain. */
public final class FlinkSql {
  private FlinkSql() {}

  /**
   * Runs the statements.
   *
   * @param args the file; its statements end with a semicolon
   */
  public static void main(String[] args) throws Exception {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.getConfig().set("parallelism.default", "1");
    String[] statements = Files.readString(Path.of(args[0])).strip().split(";");
    Map<String, Integer> rows = new TreeMap<>();
    for (int i = 0; i < statements.length - 1; i++) {
      tables.executeSql(statements[i]);
    }
    try (CloseableIterator<Row> changes =
        tables.executeSql(statements[statements.length - 1]).collect()) {
      while (changes.hasNext()) {
        Row row = changes.next();
        boolean isAdded =
            row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER;
        row.setKind(RowKind.INSERT);
        rows.merge(row.toString(), isAdded ? 1 : -1, Integer::sum);
      }
    }
    rows.forEach(
        (row, count) -> {
          for (int i = 0; i < count; i++) {
            System.out.println("row " + row);
          }
        });
  }
}

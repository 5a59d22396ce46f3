package io.weir.lab.chaos;

import io.weir.lab.oracle.Findings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What must be in a table after the records of its topic: the newest row of each key, and the
 * records that have no place. One thread.
 */
final class ExpectedRows {
  private static final int FETCHED_ROWS = 2_000;
  private static final int COLUMNS_BEFORE_CONTENT = 3;
  private static final String REJECTS =
      "select kafka_partition, kafka_offset, value from weir_sink_rejects where topic = ?";

  private final String topic;
  private final String table;
  private final Map<String, Row> rows = new HashMap<>();
  private final Map<String, LedgerIndex.Print> rejects = new HashMap<>();
  private final Findings findings = new Findings();
  private long found;

  private record Row(long timeMs, long offset, LedgerIndex.Print content) {}

  ExpectedRows(String topic, String table) {
    this.topic = topic;
    this.table = table;
  }

  /**
   * A row; of several of a key the one with the largest time counts, of equal ones the later.
   *
   * @param timeMs 0 where the later record counts in any case
   */
  void newest(
      String key, long timeMs, ConsumerRecord<byte[], byte[]> record, LedgerIndex.Print content) {
    Row row = new Row(timeMs, record.offset(), content);
    rows.merge(key, row, (before, now) -> now.timeMs() < before.timeMs() ? before : now);
  }

  /** A key of which there is no row from this record on. */
  void gone(String key) {
    rows.remove(key);
  }

  /** A record that has no place in the table. */
  void reject(ConsumerRecord<byte[], byte[]> record) {
    rejects.put(record.partition() + " " + record.offset(), LedgerIndex.Print.of(record.value()));
  }

  /** Holds the table and the rejects against it; to be called once. */
  Findings check(Connection connection, String select) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setFetchSize(FETCHED_ROWS);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          check(row);
        }
      }
    }
    rows.keySet().forEach(key -> findings.lost(1, "row " + key + " of " + table));
    checkRejects(connection);
    return findings;
  }

  private void check(ResultSet row) throws SQLException {
    found++;
    String key = row.getString(1);
    Row expected = rows.remove(key);
    if (expected == null) {
      findings.wrongRecord("row " + key + " of " + table + ", which no record says");
      return;
    }
    Object[] cells = new Object[row.getMetaData().getColumnCount() - COLUMNS_BEFORE_CONTENT];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = row.getObject(i + COLUMNS_BEFORE_CONTENT + 1);
    }
    if (row.getLong(2) != expected.offset() || row.getInt(3) != 1) {
      findings.wrongWindow(
          "row %s of %s is of offset %d, generation %d, and the newest is %d"
              .formatted(key, table, row.getLong(2), row.getInt(3), expected.offset()));
    } else if (!RowPrint.of(cells).equals(expected.content())) {
      findings.wrongWindow("row " + key + " of " + table + " says something else than its record");
    }
  }

  private void checkRejects(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REJECTS)) {
      statement.setString(1, topic);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String place = row.getInt(1) + " " + row.getLong(2);
          LedgerIndex.Print expected = rejects.remove(place);
          if (!LedgerIndex.Print.of(row.getBytes(3)).equals(expected)) {
            findings.wrongRecord("reject " + place + " of " + topic);
          }
        }
      }
    }
    rejects.keySet().forEach(place -> findings.lost(1, "reject " + place + " of " + topic));
  }

  /** Rows that were found in the table. */
  long found() {
    return found;
  }
}

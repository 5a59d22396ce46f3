package io.weir.internal.sink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Records that a table of the database has, with their origin, in the order of their offsets. A
 * part of them, so that they fit in memory and in a transaction. Immutable.
 */
record StoredRecords(List<Stored> all) {
  /** In the order in which {@link #read} reads them. */
  static final String COLUMNS =
      "topic, topic_generation, kafka_partition, kafka_offset, key, value";

  private static final int FETCH_ROWS = 50;
  private static final String DELETE =
      """
      delete from %s
       where topic = ? and topic_generation = ? and kafka_partition = ? and kafka_offset = ?""";

  record Stored(int generation, ConsumerRecord<byte[], byte[]> record) {}

  /** Reads the result of a query for {@link #COLUMNS}, up to the bytes of a transaction. */
  static StoredRecords read(PreparedStatement query) throws SQLException {
    query.setFetchSize(FETCH_ROWS);
    List<Stored> all = new ArrayList<>();
    long bytes = 0;
    try (ResultSet row = query.executeQuery()) {
      while (bytes < BatchLimit.BYTES && row.next()) {
        byte[] key = row.getBytes(5);
        byte[] value = row.getBytes(6);
        bytes += (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
        all.add(
            new Stored(
                row.getInt(2),
                new ConsumerRecord<>(row.getString(1), row.getInt(3), row.getLong(4), key, value)));
      }
    }
    return new StoredRecords(all);
  }

  /**
   * @param mappings by topic, of all of them
   */
  Batch batch(Map<String, TableMapping> mappings) {
    Batch batch = new Batch();
    for (Stored stored : all) {
      batch.add(mappings.get(stored.record().topic()), stored.generation(), stored.record());
    }
    return batch;
  }

  /** Deletes them from their table. */
  void delete(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(DELETE.formatted(table))) {
      for (Stored stored : all) {
        setOrigin(statement, 1, stored);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  static void setOrigin(PreparedStatement statement, int from, Stored stored) throws SQLException {
    statement.setString(from, stored.record().topic());
    statement.setInt(from + 1, stored.generation());
    statement.setInt(from + 2, stored.record().partition());
    statement.setLong(from + 3, stored.record().offset());
  }
}

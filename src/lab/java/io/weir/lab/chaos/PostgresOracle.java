package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.lab.oracle.Findings;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Holds the tables of a sink against the topics that it writes, and the outbox against the readings
 * that came of it, all read from their beginning. One thread.
 */
final class PostgresOracle {
  private static final String OFFSETS =
      "select partition, next_offset, generation from weir_sink_offsets where name = ?";

  private final String bootstrapServers;
  private final String jdbcUrl;
  private final List<TableOracle> tables;

  PostgresOracle(String bootstrapServers, String jdbcUrl, List<TableOracle> tables) {
    this.bootstrapServers = bootstrapServers;
    this.jdbcUrl = jdbcUrl;
    this.tables = List.copyOf(tables);
  }

  /** Records that the sink has not written yet, with what transactions leave on topics. */
  long behind() {
    try (CommittedTopic reader = new CommittedTopic(bootstrapServers);
        Connection connection = connect()) {
      long behind = 0;
      for (TableOracle table : tables) {
        String topic = name(table.topic());
        Map<TopicPartition, Long> written = offsets(connection, topic, new Findings());
        for (Map.Entry<TopicPartition, Long> end : reader.ends(topic).entrySet()) {
          behind += Math.abs(end.getValue() - written.getOrDefault(end.getKey(), 0L));
        }
      }
      return behind;
    } catch (SQLException | KafkaException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Compares everything as it is now. */
  PostgresVerdict judge(List<String> unsettled) throws SQLException {
    Findings findings = new Findings();
    Map<String, Long> counts = new TreeMap<>();
    OutboxOracle outbox = new OutboxOracle();
    try (CommittedTopic reader = new CommittedTopic(bootstrapServers);
        Connection connection = connect()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      for (TableOracle table : tables) {
        judge(table, reader, connection, findings, counts);
      }
      reader.read(name(Topic.READINGS), outbox::take);
      findings.add(outbox.check(connection));
      findings.add(TableUsers.check(connection));
    }
    return new PostgresVerdict(
        findings,
        counts,
        new PostgresVerdict.OutboxCounts(
            outbox.committed(),
            outbox.rejected(),
            outbox.expired(),
            outbox.records(),
            outbox.repeats()),
        unsettled);
  }

  private static void judge(
      TableOracle table,
      CommittedTopic reader,
      Connection connection,
      Findings findings,
      Map<String, Long> counts)
      throws SQLException {
    String topic = name(table.topic());
    ExpectedRows expected = new ExpectedRows(topic, table.table());
    Map<TopicPartition, Long> ends =
        reader.read(
            topic,
            record -> {
              try {
                table.reader().take(record, expected);
              } catch (InvalidProtocolBufferException e) {
                findings.wrongRecord(topic + " has a record that is none");
              }
            });
    Map<TopicPartition, Long> written = offsets(connection, topic, findings);
    ends.forEach(
        (partition, end) -> {
          Long next = written.get(partition);
          if (!end.equals(next)) {
            findings.wrongRecord(
                "weir_sink_offsets has %d for %s, which ends at %d"
                    .formatted(next, partition, end));
          }
        });
    findings.add(expected.check(connection, table.select()));
    counts.put(table.table(), expected.found());
  }

  private static Map<TopicPartition, Long> offsets(
      Connection connection, String topic, Findings findings) throws SQLException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(OFFSETS)) {
      statement.setString(1, topic);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          TopicPartition partition = new TopicPartition(topic, row.getInt(1));
          if (offsets.put(partition, row.getLong(2)) != null || row.getInt(3) != 1) {
            findings.wrongRecord("weir_sink_offsets has more than one topic for " + partition);
          }
        }
      }
    }
    return offsets;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl);
  }

  private static String name(Topic topic) {
    return TopicNames.ALL.of(topic);
  }
}

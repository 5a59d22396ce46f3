package io.weir.internal.sink;

import io.weir.internal.postgres.SqlFailures;
import io.weir.internal.sink.RejectedException.Reason;
import io.weir.internal.time.MonotonicClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;

/**
 * Writes batches over one connection, each in one transaction together with the offsets. One
 * thread.
 *
 * <p>Rows go into a temporary table first, before anything is locked: a process that freezes while
 * it sends them blocks no other. After that it sends only short statements and rejects, and the
 * server releases the locks soon after their owner freezes.
 */
final class BatchWriter {
  private static final byte[] HEAD =
      ByteBuffer.allocate(19)
          .put("PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1))
          .putInt(0)
          .putInt(0)
          .array();
  private static final int TAIL = -1;
  private static final long DISCARD_EVERY_MS = TimeUnit.HOURS.toMillis(1);
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String REJECT =
      """
      insert into weir_sink_rejects (topic, topic_generation, kafka_partition, kafka_offset, reason,
                                     message, key, value)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing""";
  private static final String WAIT =
      """
      insert into weir_sink_waiting (topic, topic_generation, kafka_partition, kafka_offset, day,
                                     key, value)
      values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing""";

  private final Connection connection;
  private final LongSupplier clockMs;
  private final Set<String> staged = new HashSet<>();
  private long discardedMs;

  BatchWriter(Connection connection) {
    this(connection, MonotonicClock::millis);
  }

  /**
   * @param clockMs never goes back
   */
  BatchWriter(Connection connection, LongSupplier clockMs) {
    this.connection = connection;
    this.clockMs = clockMs;
    this.discardedMs = clockMs.getAsLong();
  }

  /**
   * Drops the temporary tables every hour; the next batch makes new ones. Autovacuum cannot freeze
   * them: those of a session of many weeks would let the server run out of transaction ids.
   */
  void discardOld() throws SQLException {
    if (clockMs.getAsLong() - discardedMs >= DISCARD_EVERY_MS) {
      discardedMs = clockMs.getAsLong();
      staged.clear();
      execute(List.of("discard temp"));
      connection.commit();
    }
  }

  /** A statement that is written with the rows, and takes locks. */
  interface With {
    /**
     * @throws FencedPartitionsException if nothing must be written
     */
    void run() throws SQLException, FencedPartitionsException;
  }

  /**
   * Writes a batch atomically. Rows that the database refuses become rejects.
   *
   * @param owned ownerships of the batch's partitions
   * @param precondition checked after the rows were sent and before anything is locked; may block
   *     and throw
   * @return the rejects written; empty if the precondition does not hold: nothing was written
   * @throws FencedPartitionsException if another process owns a partition: nothing was written
   * @throws SQLException if the result is unknown; writing again is safe
   */
  Optional<List<Reject>> write(
      Batch batch, Collection<PartitionOwnership> owned, BooleanSupplier precondition)
      throws SQLException, FencedPartitionsException {
    return write(batch, () -> move(batch, owned), precondition);
  }

  /** The same with another statement than the one for offsets. */
  Optional<List<Reject>> write(Batch batch, With with, BooleanSupplier precondition)
      throws SQLException, FencedPartitionsException {
    for (Table table : batch.tables()) {
      stage(table.staging(), List.of(table.createStaging()));
    }
    boolean refused = !send(batch);
    if (!holds(precondition)) {
      return Optional.empty();
    }
    if (!refused) {
      try {
        return Optional.of(writeWhole(batch, with));
      } catch (SQLException e) {
        rollbackIfRefused(e);
      }
    }
    try {
      return Optional.of(writePieces(batch, with));
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    }
  }

  /** Whether the database accepted the rows. */
  private boolean send(Batch batch) throws SQLException {
    try {
      for (Table table : batch.tables()) {
        copy(table.copy(), rowsOf(batch.rows(table)));
      }
      return true;
    } catch (SQLException e) {
      rollbackIfRefused(e);
      return false;
    }
  }

  private static List<byte[]> rowsOf(List<TableRow> rows) {
    return rows.stream().map(TableRow::bytes).toList();
  }

  /** A row that the default partition refuses because its day has a partition is not a reject. */
  private static void requireRefused(SQLException failure) throws SQLException {
    if (failure instanceof PSQLException refusal
        && refusal.getServerErrorMessage() != null
        && DefaultRange.isNamed(refusal.getServerErrorMessage().getConstraint())) {
      throw new SQLTransientException(SqlFailures.line(failure), SERIALIZATION_FAILURE, failure);
    }
    if (SqlFailures.of(failure) != SqlFailures.DATA) {
      throw failure;
    }
  }

  private boolean holds(BooleanSupplier precondition) throws SQLException {
    boolean holds = false;
    try {
      holds = precondition.getAsBoolean();
    } finally {
      if (!holds) {
        connection.rollback();
      }
    }
    return holds;
  }

  private void rollbackIfRefused(SQLException failure) throws SQLException {
    connection.rollback();
    requireRefused(failure);
  }

  private List<Reject> writeWhole(Batch batch, With with)
      throws SQLException, FencedPartitionsException {
    with.run();
    for (Table table : batch.tables()) {
      execute(table.merge());
    }
    reject(batch.rejects());
    defer(batch.waiting());
    connection.commit();
    return batch.rejects();
  }

  /** Sends all rows again before anything is locked. */
  private List<Reject> writePieces(Batch batch, With with)
      throws SQLException, FencedPartitionsException {
    List<Reject> rejects = new ArrayList<>(batch.rejects());
    Map<Table, List<TableRow>> rows = new LinkedHashMap<>();
    for (Table table : batch.tables()) {
      stage(table.pieces(), table.createPieces());
      rows.put(table, batch.rows(table));
    }
    for (Table table : rows.keySet()) {
      List<TableRow> all = rows.get(table);
      halving(all, 0, all.size(), (from, end) -> copyPieces(table, all, from, end), rejects);
    }
    with.run();
    // A deferred constraint would refuse all of them at the commit.
    execute(List.of("set constraints all immediate"));
    for (Table table : rows.keySet()) {
      List<TableRow> all = rows.get(table);
      halving(all, 0, all.size(), (from, end) -> execute(table.merge(from, end)), rejects);
    }
    reject(rejects);
    defer(batch.waiting());
    connection.commit();
    return rejects;
  }

  /** A statement for the rows with these numbers. */
  private interface Piece {
    void run(int from, int end) throws SQLException;
  }

  /** Bisects the rows to find those that the database refuses. */
  private void halving(List<TableRow> rows, int from, int end, Piece piece, List<Reject> rejects)
      throws SQLException {
    if (from == end) {
      return;
    }
    Savepoint savepoint = connection.setSavepoint();
    try {
      piece.run(from, end);
      connection.releaseSavepoint(savepoint);
    } catch (SQLException e) {
      requireRefused(e);
      connection.rollback(savepoint);
      if (end - from == 1) {
        TableRow row = rows.get(from);
        String message = SqlFailures.line(e);
        rejects.add(
            new Reject(row.record(), row.generation(), Reason.REFUSED_BY_DATABASE, message));
        return;
      }
      int middle = (from + end) >>> 1;
      halving(rows, from, middle, piece, rejects);
      halving(rows, middle, end, piece, rejects);
    }
  }

  private void copyPieces(Table table, List<TableRow> rows, int from, int end) throws SQLException {
    List<byte[]> numbered = new ArrayList<>();
    for (int number = from; number < end; number++) {
      numbered.add(RowEncoder.numbered(number, rows.get(number).bytes()));
    }
    copy(table.copyPieces(), numbered);
  }

  private void stage(String table, List<String> create) throws SQLException {
    if (!staged.contains(table)) {
      execute(List.of("set client_min_messages = warning"));
      execute(create);
      connection.commit();
      staged.add(table);
    }
  }

  private void copy(String statement, List<byte[]> rows) throws SQLException {
    int size = HEAD.length + Short.BYTES;
    for (byte[] row : rows) {
      size += row.length;
    }
    ByteBuffer content = ByteBuffer.allocate(size).put(HEAD);
    rows.forEach(content::put);
    content.putShort((short) TAIL);
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(statement, new ByteArrayInputStream(content.array()));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Reading an array never fails.
    }
  }

  private void move(Batch batch, Collection<PartitionOwnership> owned)
      throws SQLException, FencedPartitionsException {
    Map<String, List<PartitionOwnership>> byTopic =
        owned.stream().collect(Collectors.groupingBy(ownership -> ownership.partition().topic()));
    Set<TopicPartition> lost = new HashSet<>();
    for (List<PartitionOwnership> ofTopic : byTopic.values()) {
      lost.addAll(OffsetTable.move(connection, ofTopic, batch.nextOffsets()));
    }
    if (!lost.isEmpty()) {
      connection.rollback();
      throw new FencedPartitionsException(lost);
    }
  }

  private void reject(List<Reject> rejects) throws SQLException {
    if (rejects.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(REJECT)) {
      for (Reject reject : rejects) {
        statement.setString(1, reject.record().topic());
        statement.setInt(2, reject.generation());
        statement.setInt(3, reject.record().partition());
        statement.setLong(4, reject.record().offset());
        statement.setString(5, reject.reason().name());
        statement.setString(6, reject.message().replace('\0', '\uFFFD'));
        statement.setBytes(7, reject.record().key());
        statement.setBytes(8, reject.record().value());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void defer(List<TableRow> waiting) throws SQLException {
    if (waiting.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(WAIT)) {
      for (TableRow row : waiting) {
        statement.setString(1, row.record().topic());
        statement.setInt(2, row.generation());
        statement.setInt(3, row.record().partition());
        statement.setLong(4, row.record().offset());
        statement.setInt(5, row.day());
        statement.setBytes(6, row.record().key());
        statement.setBytes(7, row.record().value());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void execute(List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}

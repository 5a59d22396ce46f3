package io.weir.internal.collect;

import io.weir.internal.collect.Budget.Bucket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The row of weir_collector: the active process and its position. The lease is a time of the
 * database's clock; only the epoch decides which process may write. The caller ends transactions; a
 * connection is for one thread.
 */
final class CollectorTable {
  /** If it ends later than any lease, the server's clock was set back. */
  private static final String FREE =
      """
      (lease_until <= clock_timestamp()
       or lease_until > clock_timestamp() + ? * interval '1 ms')""";

  private static final Duration LONGEST = Duration.ofMinutes(2);

  private static final String LOOK =
      """
      select name, epoch, %s as free, system_id, timeline, relations,
             boot_id
        from weir_collector"""
          .formatted(FREE);
  private static final String BEGIN =
      """
      insert into weir_collector (name, system_id, timeline, relations, boot_id, cursors, sequences,
                                  in_flight)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing""";
  private static final String TAKE =
      """
      update weir_collector
         set epoch = epoch + 1, lease_until = clock_timestamp() + ? * interval '1 ms'
       where name = ? and epoch = ? and %s"""
          .formatted(FREE);
  private static final String SEIZE =
      """
      update weir_collector
         set epoch = epoch + 1, lease_until = clock_timestamp() + ? * interval '1 ms'
       where name = ? and epoch = ?""";
  private static final String REBASE =
      """
      update weir_collector
         set lease_until = '-infinity', system_id = ?, timeline = ?, relations = ?, boot_id = ?,
             cursors = ?, sequences = ?, in_flight = ?, cleaned = null
       where name = ? and epoch = ?""";
  private static final String REQUIRE_REBASE =
      "update weir_collector set timeline = 0 where name = ? and epoch = ?";
  private static final String CLEANED =
      "update weir_collector set cleaned = ? where name = ? and epoch = ?";
  private static final String LOAD =
      """
      select boot_id, cursors, sequences, in_flight, cleaned, budget_tokens,
             (extract(epoch from clock_timestamp() - budget_at) * 1000000)::bigint
        from weir_collector
       where name = ? and epoch = ?""";
  private static final String RENEW =
      """
      update weir_collector set lease_until = clock_timestamp() + ? * interval '1 ms'
       where name = ? and epoch = ?""";
  private static final String MOVE =
      """
      update weir_collector
         set lease_until = clock_timestamp() + ? * interval '1 ms',
             cursors = ?, sequences = ?, in_flight = ?,
             budget_tokens = ?, budget_at = clock_timestamp() - ? * interval '1 microsecond'
       where name = ? and epoch = ?""";

  private final String name;
  private final long leaseMs;

  CollectorTable(String name, Duration lease) {
    this.name = name;
    this.leaseMs = lease.toMillis();
  }

  /** The columns that every role may read. */
  record Look(String name, long epoch, boolean isFree, ServerIdentity identity, long bootId) {}

  /** Reads the row without a lock. */
  Optional<Look> look(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
      statement.setLong(1, longestMs());
      try (ResultSet result = statement.executeQuery()) {
        return result.next()
            ? Optional.of(
                new Look(
                    result.getString(1),
                    result.getLong(2),
                    result.getBoolean(3),
                    new ServerIdentity(result.getLong(4), result.getInt(5), result.getString(6)),
                    result.getLong(7)))
            : Optional.empty();
      }
    }
  }

  /** Inserts the row if it does not exist. */
  void begin(Connection connection, ServerIdentity identity, State state) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
      statement.setString(1, name);
      statement.setLong(2, identity.systemId());
      statement.setInt(3, identity.timeline());
      statement.setString(4, identity.relations());
      statement.setLong(5, state.bootId());
      set(connection, statement, 6, state);
      statement.executeUpdate();
    }
  }

  /**
   * Acquires the lease, if it is free and no process has acquired it since that epoch. Does not
   * wait for the lease.
   *
   * @return whether this process has the next epoch
   */
  boolean acquire(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
      statement.setLong(1, leaseMs);
      statement.setString(2, name);
      statement.setLong(3, epoch);
      statement.setLong(4, longestMs());
      return statement.executeUpdate() == 1;
    }
  }

  private long longestMs() {
    return Math.max(LONGEST.toMillis(), 2 * leaseMs);
  }

  /**
   * Acquires the lease even if another process holds it.
   *
   * @throws FencedException if another process acquired it since that epoch
   */
  void seize(Connection connection, long epoch) throws SQLException, FencedException {
    try (PreparedStatement statement = connection.prepareStatement(SEIZE)) {
      statement.setLong(1, leaseMs);
      statement.setString(2, name);
      statement.setLong(3, epoch);
      require(statement.executeUpdate());
    }
  }

  /**
   * Writes a state with a new boot id, and releases the lease.
   *
   * @throws FencedException if another process took over
   */
  void rebase(Connection connection, long epoch, ServerIdentity identity, State state)
      throws SQLException, FencedException {
    try (PreparedStatement statement = connection.prepareStatement(REBASE)) {
      statement.setLong(1, identity.systemId());
      statement.setInt(2, identity.timeline());
      statement.setString(3, identity.relations());
      statement.setLong(4, state.bootId());
      set(connection, statement, 5, state);
      statement.setString(8, name);
      statement.setLong(9, epoch);
      require(statement.executeUpdate());
    }
  }

  /** Lets every later start refuse this row: no server has the timeline 0. */
  void requireRebase(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(REQUIRE_REBASE)) {
      statement.setString(1, name);
      statement.setLong(2, epoch);
      statement.executeUpdate();
    }
  }

  /**
   * The row's content.
   *
   * @param cleaned positions up to which acknowledged rows were deleted
   * @param budget empty if none was stored
   */
  record Kept(State state, List<Cursor> cleaned, Optional<Bucket> budget) {}

  /** The stored row of the epoch's owner; empty if the epoch is outdated. */
  Optional<Kept> load(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOAD)) {
      statement.setString(1, name);
      statement.setLong(2, epoch);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? Optional.of(kept(result)) : Optional.empty();
      }
    }
  }

  private static Kept kept(ResultSet result) throws SQLException {
    State state =
        new State(
            result.getLong(1),
            cursors(result.getArray(2)),
            Sequences.of((Long[]) result.getArray(3).getArray()),
            InFlight.decode(result.getBytes(4)));
    Array cleaned = result.getArray(5);
    long tokens = result.getLong(6);
    boolean noBudget = result.wasNull();
    long ageMicros = result.getLong(7);
    return new Kept(
        state,
        cleaned == null ? Cleaner.BEGINNING : cursors(cleaned),
        noBudget ? Optional.empty() : Optional.of(new Bucket(tokens, ageMicros)));
  }

  private static List<Cursor> cursors(Array column) throws SQLException {
    return Stream.of((String[]) column.getArray()).map(Cursor::parse).toList();
  }

  private static Array array(Connection connection, List<Cursor> cursors) throws SQLException {
    return connection.createArrayOf("text", cursors.stream().map(Cursor::text).toArray());
  }

  /**
   * Writes the positions up to which acknowledged rows were deleted.
   *
   * @throws FencedException if another process took over
   */
  void cleaned(Connection connection, long epoch, List<Cursor> upTo)
      throws SQLException, FencedException {
    try (PreparedStatement statement = connection.prepareStatement(CLEANED)) {
      statement.setArray(1, array(connection, upTo));
      statement.setString(2, name);
      statement.setLong(3, epoch);
      require(statement.executeUpdate());
    }
  }

  /**
   * Renews the lease.
   *
   * @throws FencedException if another process took over
   */
  void renew(Connection connection, long epoch) throws SQLException, FencedException {
    update(connection, epoch, leaseMs);
  }

  /** Releases the lease, so that another process need not wait for its end. */
  void release(Connection connection, long epoch) throws SQLException, FencedException {
    update(connection, epoch, 0);
  }

  private void update(Connection connection, long epoch, long ms)
      throws SQLException, FencedException {
    try (PreparedStatement statement = connection.prepareStatement(RENEW)) {
      statement.setLong(1, ms);
      statement.setString(2, name);
      statement.setLong(3, epoch);
      require(statement.executeUpdate());
    }
  }

  /**
   * Moves the cursors, and replaces the batches in flight by the next ones.
   *
   * @param budget the remaining budget at the current time of the database's clock
   * @throws FencedException if another process took over
   */
  void move(Connection connection, long epoch, State state, Optional<Bucket> budget)
      throws SQLException, FencedException {
    try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
      statement.setLong(1, leaseMs);
      set(connection, statement, 2, state);
      statement.setObject(5, budget.map(Bucket::tokens).orElse(null), Types.BIGINT);
      statement.setObject(6, budget.map(Bucket::ageMicros).orElse(null), Types.BIGINT);
      statement.setString(7, name);
      statement.setLong(8, epoch);
      require(statement.executeUpdate());
    }
  }

  private static void require(int rows) throws FencedException {
    if (rows != 1) {
      throw new FencedException();
    }
  }

  private static void set(
      Connection connection, PreparedStatement statement, int first, State state)
      throws SQLException {
    statement.setArray(first, array(connection, state.cursors()));
    statement.setArray(first + 1, connection.createArrayOf("int8", state.sequences().column()));
    statement.setBytes(first + 2, InFlight.encode(state.inFlight()));
  }

  /**
   * The column in_flight: a version (1 byte, value 1), then for each batch the numbers of its
   * channel and partition (1 byte each), boot id and sequence (8 bytes each, big-endian), length (4
   * bytes) and value. Stateless.
   */
  static final class InFlight {
    private static final int VERSION = 1;
    private static final byte[] NOTHING = {VERSION};

    private InFlight() {}

    static byte[] encode(List<SentBatch> batches) {
      if (batches.isEmpty()) {
        return NOTHING.clone();
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeByte(VERSION);
        for (SentBatch batch : batches) {
          out.writeByte(batch.channel().ordinal());
          out.writeByte(batch.partition());
          out.writeLong(batch.bootId());
          out.writeLong(batch.sequence());
          out.writeInt(batch.value().length);
          out.write(batch.value());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    /**
     * @throws CollectRefusedException if a newer version wrote it
     */
    static List<SentBatch> decode(byte[] column) {
      List<SentBatch> batches = new ArrayList<>();
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
        if (in.readByte() != VERSION) {
          throw new CollectRefusedException(
              "weir_collector.in_flight was written by a newer version of weir collect");
        }
        while (in.available() > 0) {
          Channel channel = Channel.values()[in.readUnsignedByte()];
          int partition = in.readUnsignedByte();
          long bootId = in.readLong();
          long sequence = in.readLong();
          byte[] value = new byte[in.readInt()];
          in.readFully(value);
          batches.add(new SentBatch(channel, partition, bootId, sequence, value));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return batches;
    }
  }
}

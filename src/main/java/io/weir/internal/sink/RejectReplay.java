package io.weir.internal.sink;

import io.weir.internal.app.SinkSettings;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.SqlFailures;
import io.weir.internal.sink.StoredRecords.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Writes the records of weir_sink_rejects again, after a table was repaired; sinks may run at the
 * same time. A newer row stays. A record that is refused again stays a reject, with the new reason.
 * Tables with tombstones are skipped, because a later tombstone may have deleted the key, and those
 * of late readings and dead letters, because rejects lack their headers. One thread.
 */
public final class RejectReplay {
  private static final int RECORDS = 1_000;
  private static final int ATTEMPTS = 5;
  private static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(5);

  private static final String TABLE = "weir_sink_rejects";
  private static final String SELECT =
      """
      select %s
        from %s
       where topic = any (?)
         and (topic, topic_generation, kafka_partition, kafka_offset) > (?, ?, ?, ?)
       order by topic, topic_generation, kafka_partition, kafka_offset
       limit %d"""
          .formatted(StoredRecords.COLUMNS, TABLE, RECORDS);

  /**
   * The result.
   *
   * @param written records that are rows now, or older than an existing row
   * @param refused records that are still rejects
   */
  public record Result(long written, long refused) {}

  private final Connection connection;
  private final Map<String, TableMapping> mappings = new HashMap<>();
  private final Upkeep upkeep;
  private final BatchWriter writer;

  private RejectReplay(Connection connection, Map<String, TableMapping> mappings) {
    this.connection = connection;
    mappings.forEach(
        (topic, mapping) -> {
          if (mapping.isRepeatable()) {
            this.mappings.put(topic, mapping);
          }
        });
    this.upkeep = new Upkeep(mappings.values(), Optional.empty(), Validation.NONE);
    this.writer = new BatchWriter(connection);
  }

  /**
   * Writes all rejects of the sink's topics again.
   *
   * @throws SinkRefusedException if the database does not answer, or a check fails
   */
  public static Result run(WeirConfig config) {
    return run(config.sink(), Sink.mappings(config));
  }

  static Result run(SinkSettings settings, Map<String, TableMapping> mappings) {
    Database database =
        new Database(SinkSchema.address(settings), Database.Limits.of(IDLE_IN_TRANSACTION));
    try (Connection connection = database.open()) {
      SinkSchema.FILES.require(connection, database);
      return new RejectReplay(connection, mappings).all();
    } catch (SQLException e) {
      throw new SinkRefusedException(database.advice(e));
    }
  }

  private Result all() throws SQLException {
    long written = 0;
    long refused = 0;
    Stored last = new Stored(0, new ConsumerRecord<>("", 0, 0, null, null));
    for (StoredRecords next = next(last); !next.all().isEmpty(); next = next(last)) {
      long still = write(next);
      written += next.all().size() - still;
      refused += still;
      last = next.all().get(next.all().size() - 1);
    }
    return new Result(written, refused);
  }

  private StoredRecords next(Stored after) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT)) {
      statement.setArray(1, connection.createArrayOf("text", mappings.keySet().toArray()));
      StoredRecords.setOrigin(statement, 2, after);
      StoredRecords next = StoredRecords.read(statement);
      connection.commit();
      return next;
    }
  }

  /** The number refused again. A sink may write the same rows concurrently. */
  private long write(StoredRecords rejected) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        Batch batch = rejected.batch(mappings);
        upkeep.prepare(connection, batch);
        // A record that is refused again gets its new reason.
        return writer
            .write(batch, () -> rejected.delete(connection, TABLE), () -> true)
            .orElseThrow()
            .stream()
            .map(reject -> reject.record().partition() + " " + reject.record().offset())
            .distinct()
            .count();
      } catch (SQLException e) {
        connection.rollback();
        upkeep.forget();
        if (attempt == ATTEMPTS || SqlFailures.of(e) != SqlFailures.TRANSIENT) {
          throw e;
        }
      } catch (FencedPartitionsException e) {
        throw new IllegalStateException(e); // No offset is written.
      }
    }
  }
}

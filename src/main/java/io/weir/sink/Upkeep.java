package io.weir.sink;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Partitions made ahead of time, and dropped after their retention. One thread. */
final class Upkeep {
  private static final long AHEAD_EVERY_MS = TimeUnit.MINUTES.toMillis(5);
  private static final long RETAIN_EVERY_MS = TimeUnit.MINUTES.toMillis(30);

  private final Optional<Duration> retention;
  private final Map<Table, DayPartitions> partitions = new HashMap<>();
  private long nextAheadMs = Long.MIN_VALUE;
  private long nextRetainMs = Long.MIN_VALUE;

  Upkeep(SinkTopics topics, Optional<Duration> retention) {
    this.retention = retention;
    topics.mappings().stream()
        .map(TableMapping::table)
        .filter(Table::byDay)
        .forEach(table -> partitions.put(table, new DayPartitions(table.name())));
  }

  /** Makes the partitions that a batch needs. */
  void prepare(Connection connection, Batch batch) throws SQLException {
    for (Table table : batch.tables()) {
      if (table.byDay()) {
        partitions.get(table).ensure(connection, batch.days(table), today());
      }
    }
  }

  /**
   * Does what is due.
   *
   * @param elapsedMs of a clock that never goes back
   */
  void run(Connection connection, long elapsedMs) throws SQLException {
    if (elapsedMs >= nextAheadMs) {
      nextAheadMs = elapsedMs + AHEAD_EVERY_MS;
      for (DayPartitions of : partitions.values()) {
        of.ahead(connection, today());
      }
    }
    if (retention.isPresent() && elapsedMs >= nextRetainMs) {
      nextRetainMs = elapsedMs + RETAIN_EVERY_MS;
      for (DayPartitions of : partitions.values()) {
        of.retain(connection, retention.get(), System.currentTimeMillis());
      }
    }
  }

  private static int today() {
    return (int) LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).toEpochDay();
  }
}

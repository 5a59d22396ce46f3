package io.weir.sink;

import io.weir.time.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Creates partitions ahead of time, and drops them after their retention. One thread. */
final class Upkeep {
  private static final long AHEAD_EVERY_MS = TimeUnit.MINUTES.toMillis(5);
  private static final long RETAIN_EVERY_MS = TimeUnit.MINUTES.toMillis(30);

  /** Interval after a failure or a partial result. */
  private static final long AGAIN_MS = TimeUnit.SECONDS.toMillis(10);

  private final Optional<Duration> retention;
  private final Map<Table, DayPartitions> partitions = new HashMap<>();
  private volatile long nextAheadMs = Long.MIN_VALUE;
  private long nextRetainMs = Long.MIN_VALUE;

  Upkeep(Collection<TableMapping> mappings, Optional<Duration> retention) {
    this.retention = retention;
    mappings.stream()
        .map(TableMapping::table)
        .filter(Table::byDay)
        .forEach(table -> partitions.put(table, new DayPartitions(table.name())));
  }

  /** Uses a new connection, and forgets the cached state. */
  void forget() {
    partitions.values().forEach(DayPartitions::forget);
    nextAheadMs = Long.MIN_VALUE;
  }

  /**
   * Creates the partitions that a batch needs.
   *
   * @return the tables of days that are not attached yet
   */
  Map<Table, Map<Integer, String>> prepare(Connection connection, Batch batch) throws SQLException {
    Map<Table, Map<Integer, String>> apart = new HashMap<>();
    for (Table table : batch.tables()) {
      if (table.byDay()) {
        Map<Integer, String> days =
            partitions.get(table).ensure(connection, batch.days(table), today());
        apart.put(table, days);
        if (!days.isEmpty()) {
          nextAheadMs = Math.min(nextAheadMs, MonotonicClock.millis() + AGAIN_MS);
        }
      }
    }
    return apart;
  }

  /**
   * Runs due tasks.
   *
   * @param elapsedMs a monotonic clock
   */
  void run(Connection connection, long elapsedMs) throws SQLException {
    if (elapsedMs >= nextAheadMs) {
      boolean all = true;
      for (DayPartitions table : partitions.values()) {
        all &= table.ahead(connection, today());
      }
      nextAheadMs = elapsedMs + (all ? AHEAD_EVERY_MS : AGAIN_MS);
    }
    if (retention.isPresent() && elapsedMs >= nextRetainMs) {
      boolean all = true;
      for (DayPartitions table : partitions.values()) {
        all &= table.retain(connection, retention.get(), System.currentTimeMillis());
      }
      nextRetainMs = elapsedMs + (all ? RETAIN_EVERY_MS : AGAIN_MS);
    }
  }

  private static int today() {
    return (int) LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).toEpochDay();
  }
}

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

/** Partitions made ahead of time, and dropped after their retention. One thread. */
final class Upkeep {
  private static final long AHEAD_EVERY_MS = TimeUnit.MINUTES.toMillis(5);
  private static final long RETAIN_EVERY_MS = TimeUnit.MINUTES.toMillis(30);

  /** After something could not be done, or not all of it. */
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

  /** Over a new connection: all that is known is looked at again. */
  void forget() {
    partitions.values().forEach(DayPartitions::forget);
    nextAheadMs = Long.MIN_VALUE;
  }

  /**
   * Makes the partitions that a batch needs.
   *
   * @return the tables of days that are no partitions yet
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
   * Does what is due.
   *
   * @param elapsedMs of a clock that never goes back
   */
  void run(Connection connection, long elapsedMs) throws SQLException {
    if (elapsedMs >= nextAheadMs) {
      boolean all = true;
      for (DayPartitions of : partitions.values()) {
        all &= of.ahead(connection, today());
      }
      nextAheadMs = elapsedMs + (all ? AHEAD_EVERY_MS : AGAIN_MS);
    }
    if (retention.isPresent() && elapsedMs >= nextRetainMs) {
      boolean all = true;
      for (DayPartitions of : partitions.values()) {
        all &= of.retain(connection, retention.get(), System.currentTimeMillis());
      }
      nextRetainMs = elapsedMs + (all ? RETAIN_EVERY_MS : AGAIN_MS);
    }
  }

  private static int today() {
    return (int) LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).toEpochDay();
  }
}

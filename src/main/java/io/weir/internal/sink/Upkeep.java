package io.weir.internal.sink;

import io.weir.internal.postgres.RejectRetention;
import io.weir.internal.time.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Creates partitions ahead of time, and drops them after their retention. One thread. */
final class Upkeep {
  private static final long AHEAD_EVERY_MS = TimeUnit.MINUTES.toMillis(5);
  private static final long RETAIN_EVERY_MS = TimeUnit.MINUTES.toMillis(30);

  /** Interval after a failure or a partial result. */
  private static final long AGAIN_MS = TimeUnit.SECONDS.toMillis(10);

  private final Optional<Duration> retention;
  private final Validation validation;
  private final Map<Table, DayPartitions> partitions = new HashMap<>();
  private final List<RejectRetention> others = new ArrayList<>();
  private volatile long nextAheadMs = Long.MIN_VALUE;
  private long nextRetainMs = Long.MIN_VALUE;

  Upkeep(Collection<TableMapping> mappings, Optional<Duration> retention, Validation validation) {
    this.retention = retention;
    this.validation = validation;
    mappings.stream()
        .map(TableMapping::table)
        .filter(Table::byDay)
        .forEach(table -> partitions.put(table, new DayPartitions(table.name(), validation)));
    for (TableMapping mapping : mappings) {
      if (retention.isPresent() && mapping.retainedBy().isPresent()) {
        others.add(
            new RejectRetention(
                mapping.table().name(), mapping.retainedBy().get(), retention.get()));
      }
    }
  }

  /** Uses a new connection, and forgets the cached state. */
  void forget() {
    partitions.values().forEach(DayPartitions::forget);
    nextAheadMs = Long.MIN_VALUE;
  }

  /** Creates the partitions that a batch needs; records of days that lack one are to wait. */
  void prepare(Connection connection, Batch batch) throws SQLException {
    for (Table table : batch.tables()) {
      if (table.byDay()) {
        batch.defer(table, apart(connection, table, batch.days(table)));
      }
    }
  }

  /** The days without a partition that they need. */
  Set<Integer> apart(Connection connection, Table table, Set<Integer> days) throws SQLException {
    Set<Integer> apart = partitions.get(table).ensure(connection, days, today());
    if (!apart.isEmpty()) {
      nextAheadMs = Math.min(nextAheadMs, MonotonicClock.millis() + AGAIN_MS);
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
    for (RejectRetention other : others) {
      other.run(connection, elapsedMs);
    }
    if (retention.isPresent() && elapsedMs >= nextRetainMs) {
      boolean all = true;
      for (DayPartitions table : partitions.values()) {
        all &= table.retain(connection, retention.get(), System.currentTimeMillis());
      }
      nextRetainMs = elapsedMs + (all ? RETAIN_EVERY_MS : AGAIN_MS);
    }
  }

  /** Ends a validation. */
  void close() {
    validation.close();
  }

  private static int today() {
    return (int) LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).toEpochDay();
  }
}

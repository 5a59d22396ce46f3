package io.weir.internal.sink;

import io.weir.internal.postgres.SqlFailures;
import io.weir.internal.sink.DefaultRange.Ranges;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of one table, one for each day (UTC) that its {@link DefaultRange} covers; all
 * other days are in the default partition. Records of a day that cannot be attached, because of a
 * lock on the default partition for example, wait in weir_sink_waiting, so that users' columns,
 * triggers and constraints apply to them. One thread; several processes at once are safe.
 */
final class DayPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(DayPartitions.class);

  static final int DAYS_BACK = 31;

  /** Enough days ahead that a lock held overnight does not delay a day. */
  static final int DAYS_AHEAD = 3;

  static final DateTimeFormatter NAME = DateTimeFormatter.BASIC_ISO_DATE;

  private static final String OVERLAP = "42P17";
  private static final int DELETED_AT_ONCE = 50_000;
  private static final int DELETED_AT_LEAST = 100;
  private static final int SHRINK = 4;
  private static final long AGAIN_NANOS = Duration.ofSeconds(10).toNanos();
  private static final String TABLES =
      """
      select c.relname, exists (select from pg_inherits i where i.inhrelid = c.oid)
        from pg_class c join pg_class p on p.relnamespace = c.relnamespace
       where p.oid = ?::regclass and c.relkind = 'r' and c.relname ~ ?""";

  /** Partitions never overlap, so that their lengths within the day can be added. */
  private static final String COVERED =
      """
      with day as (select ?::timestamptz as low, ?::timestamptz as high),
           bound as (
             select regexp_match(
                      pg_get_expr(c.relpartbound, c.oid),
                      '^FOR VALUES FROM \\((.*)\\) TO \\((.*)\\)$') as ends
               from pg_inherits i join pg_class c on c.oid = i.inhrelid
              where i.inhparent = ?::regclass),
           part as (
             select case ends[1] when 'MINVALUE' then '-infinity'
                    else trim('''' from ends[1])::timestamptz end as low,
                    case ends[2] when 'MAXVALUE' then 'infinity'
                    else trim('''' from ends[2])::timestamptz end as high
               from bound where ends is not null)
      select coalesce(sum(least(part.high, day.high) - greatest(part.low, day.low)), '0')
               >= interval '24 hours'
        from day join part on part.low < day.high and part.high > day.low""";

  private final String table;
  private final Validation validation;
  private final Pattern names;
  private final Set<Integer> attached = new HashSet<>();
  private final Map<Integer, Long> failedNanos = new TreeMap<>();
  private Ranges ranges = Ranges.NONE;
  private Long renewedNanos;
  private int deletedAtOnce = DELETED_AT_ONCE;

  DayPartitions(String table, Validation validation) {
    this.table = table;
    this.validation = validation;
    this.names = Pattern.compile(Pattern.quote(table) + "_(\\d{8})");
  }

  /** Forgets the cached state of the database. */
  void forget() {
    attached.clear();
    failedNanos.clear();
    ranges = Ranges.NONE;
    renewedNanos = null;
  }

  /**
   * Creates missing partitions of days, each in its own transaction.
   *
   * @param days in days since 1970-01-01
   * @param today likewise
   * @return the days that could not be attached
   */
  Set<Integer> ensure(Connection connection, Set<Integer> days, int today) throws SQLException {
    return ensure(connection, days, today, AGAIN_NANOS);
  }

  private Set<Integer> ensure(Connection connection, Set<Integer> days, int today, long againNanos)
      throws SQLException {
    if (ranges.valid().isEmpty() && isDue(renewedNanos, againNanos)) {
      renew(connection, today);
    }
    Set<Integer> apart = new TreeSet<>();
    for (int day : days) {
      boolean valid = ranges.areValid(day);
      if ((valid || ranges.areAdded(day)) && !attached.contains(day)) {
        boolean due = isDue(failedNanos.get(day), againNanos);
        if (due && attach(connection, day, valid)) {
          attached.add(day);
          failedNanos.remove(day);
        } else {
          apart.add(day);
          if (due) {
            failedNanos.put(day, System.nanoTime());
          }
        }
      }
    }
    return apart;
  }

  private static boolean isDue(Long triedNanos, long againNanos) {
    return triedNanos == null || System.nanoTime() - triedNanos >= againNanos;
  }

  /**
   * Creates the partitions of today and the next days, and attaches earlier ones.
   *
   * @return whether all are attached
   */
  boolean ahead(Connection connection, int today) throws SQLException {
    Set<Integer> days = new HashSet<>(failedNanos.keySet());
    for (int day = today; day <= today + DAYS_AHEAD; day++) {
      days.add(day);
    }
    renew(connection, today);
    return ensure(connection, days, today, 0).isEmpty()
        && !ranges.valid().isEmpty()
        && ranges.added().isEmpty();
  }

  private void renew(Connection connection, int today) throws SQLException {
    try {
      DefaultRange.renew(connection, table, today, validation);
    } catch (SQLException e) {
      requireLater(e);
      LOG.warn("{}_default: {}; retrying", table, SqlFailures.line(e));
    }
    ranges = DefaultRange.load(connection, table);
    renewedNanos = System.nanoTime();
  }

  /**
   * Attaches an empty table, which locks only the default partition, for a short time. A table that
   * a user or the retention detached is attached again.
   *
   * @param creates whether it may; otherwise it must be there
   */
  private boolean attach(Connection connection, int day, boolean creates) throws SQLException {
    String name = name(day);
    try (Statement statement = connection.createStatement()) {
      DayLocks.begin(statement);
      Optional<Boolean> found = find(connection, name);
      if (!found.orElse(false) && creates) {
        if (found.isEmpty()) {
          statement.execute(
              "create table %s (like %s including all excluding identity)".formatted(name, table));
        }
        statement.execute(
            "alter table %s attach partition %s for values from (%s) to (%s)"
                .formatted(table, name, DefaultRange.literal(day), DefaultRange.literal(day + 1)));
      }
      connection.commit();
      return creates || found.orElse(false);
    } catch (SQLException e) {
      connection.rollback();
      if (OVERLAP.equals(e.getSQLState())) {
        return isCovered(connection, day);
      }
      if (!DayLocks.isOfTheTable(e)) {
        throw e;
      }
      LOG.warn(
          "{} is not attached yet, its records wait in weir_sink_waiting: {}",
          name,
          SqlFailures.line(e));
      return false;
    }
  }

  /** Whether users' partitions have all of a day. The default partition refuses the rest of it. */
  private boolean isCovered(Connection connection, int day) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COVERED)) {
      statement.setString(1, LocalDate.ofEpochDay(day) + " 00:00:00+00");
      statement.setString(2, LocalDate.ofEpochDay(day + 1) + " 00:00:00+00");
      statement.setString(3, table);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        boolean covered = result.getBoolean(1);
        if (!covered) {
          LOG.warn(
              "{} has other partitions for a part of the day of {}: its records wait in weir_sink_waiting until partitions cover the whole day or none of it",
              table,
              name(day));
        }
        return covered;
      }
    } finally {
      connection.rollback();
    }
  }

  /** Whether a table is attached; empty if it does not exist. */
  private Optional<Boolean> find(Connection connection, String name) throws SQLException {
    return Optional.ofNullable(tables(connection, "^" + name + "$").get(name));
  }

  private Map<String, Boolean> tables(Connection connection, String pattern) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TABLES)) {
      statement.setString(1, table);
      statement.setString(2, pattern);
      Map<String, Boolean> tables = new TreeMap<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          tables.put(result.getString(1), result.getBoolean(2));
        }
      }
      return tables;
    }
  }

  private String name(int day) {
    return table + "_" + LocalDate.ofEpochDay(day).format(NAME);
  }

  /**
   * Drops the partitions of days that are older than the retention, and deletes some of such rows
   * of the default partition. A partition that is in use, or on which a user's object depends, is
   * skipped until the next call, so that it never blocks the sink.
   *
   * @return whether all were removed
   */
  boolean retain(Connection connection, Duration retention, long nowMs) throws SQLException {
    LocalDate firstKept = firstKept(retention, nowMs);
    Map<String, Boolean> tables = tables(connection, "^" + table + "_[0-9]{8}$");
    connection.commit();
    boolean all = true;
    for (Map.Entry<String, Boolean> found : tables.entrySet()) {
      Matcher name = names.matcher(found.getKey());
      if (name.matches() && LocalDate.parse(name.group(1), NAME).isBefore(firstKept)) {
        all &= drop(connection, found.getKey(), found.getValue());
        int day = (int) LocalDate.parse(name.group(1), NAME).toEpochDay();
        attached.remove(day);
        failedNanos.remove(day);
      }
    }
    return deleteFromDefault(connection, firstKept) && all;
  }

  /** The first retained day. */
  static LocalDate firstKept(Duration retention, long nowMs) {
    long cutoffMs = nowMs - retention.toMillis();
    return LocalDate.ofEpochDay(Math.floorDiv(cutoffMs, Duration.ofDays(1).toMillis()));
  }

  /** Detaches the table first, with short locks, then drops it. */
  private boolean drop(Connection connection, String partition, boolean isAttached)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (isAttached) {
        DayLocks.begin(statement);
        statement.execute("alter table %s detach partition %s".formatted(table, partition));
        connection.commit();
      }
      DayLocks.begin(statement);
      statement.execute("drop table if exists " + partition);
      connection.commit();
      LOG.info("dropped {}", partition);
      return true;
    } catch (SQLException e) {
      connection.rollback(); // Also fails if the connection is lost.
      LOG.warn("{} is in use, retrying later: {}", partition, SqlFailures.line(e));
      return false;
    }
  }

  private boolean deleteFromDefault(Connection connection, LocalDate firstKept)
      throws SQLException {
    String delete =
        "delete from %1$s_default where ctid = any(array(select ctid from %1$s_default where window_start < '%2$s 00:00:00+00' order by window_start limit %3$d))"
            .formatted(table, firstKept, deletedAtOnce);
    try (Statement statement = connection.createStatement()) {
      int deleted = statement.executeUpdate(delete);
      connection.commit();
      boolean all = deleted < deletedAtOnce;
      deletedAtOnce = Math.min(DELETED_AT_ONCE, 2 * deletedAtOnce);
      return all;
    } catch (SQLException e) {
      connection.rollback();
      deletedAtOnce = Math.max(DELETED_AT_LEAST, deletedAtOnce / SHRINK);
      LOG.warn("{}_default has old rows, retrying later: {}", table, SqlFailures.line(e));
      return false;
    }
  }

  private static void requireLater(SQLException failure) throws SQLException {
    if (!DayLocks.isLater(failure)) {
      throw failure;
    }
  }
}

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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

  private static final int DELETED_AT_ONCE = 50_000;
  private static final int DELETED_AT_LEAST = 100;
  private static final int SHRINK = 4;
  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

  /** The check of a user's foreign key to the table, which blocks readers, may take long. */
  private static final String DROP_TIMEOUT = "1s";

  private static final long AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

  /** The partitions of a table with their bounds; without the default one. */
  private static final String PARTS =
      """
      with bound as (
             select c.oid, c.relname, c.relkind, regexp_match(
                      pg_get_expr(c.relpartbound, c.oid),
                      '^FOR VALUES FROM \\((.*)\\) TO \\((.*)\\)$') as ends
               from pg_inherits i join pg_class c on c.oid = i.inhrelid
              where i.inhparent = ?::regclass),
           part as (
             select oid, relname, relkind,
                    case ends[1] when 'MINVALUE' then '-infinity'
                    else trim('''' from ends[1])::timestamptz end as low,
                    case ends[2] when 'MAXVALUE' then 'infinity'
                    else trim('''' from ends[2])::timestamptz end as high
               from bound where ends is not null)
      """;

  /** Partitions never overlap, so that their lengths within the day can be added. */
  private static final String COVERED =
      PARTS
          + """
      select coalesce(extract(epoch from sum(least(high, day_high) - greatest(low, day_low))), 0)::bigint
        from (select ?::timestamptz as day_low, ?::timestamptz as day_high) day
        join part on low < day_high and high > day_low""";

  /** Those that end before a time, and have the name and the bounds of a day. */
  private static final String OLD =
      PARTS
          + """
      select oid::regclass, floor(extract(epoch from low) / 86400)::int from part
       where high <= ?::timestamptz and high - low = interval '24 hours' and relkind in ('r', 'p')
         and relname = ? || '_' || to_char(low at time zone 'UTC', 'YYYYMMDD')""";

  /** A name in the schema of the table, which need not be the first of the search path. */
  private static final String QUALIFIED =
      """
      select format('%I.%I', n.nspname, ?), to_regclass(format('%I.%I', n.nspname, ?)) is not null
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = ?::regclass""";

  private final String table;
  private final Validation validation;
  private final Set<Integer> attached = new HashSet<>();
  private final Map<Integer, Long> failedNanos = new TreeMap<>();
  private Ranges ranges = Ranges.NONE;
  private Long renewedNanos;

  /** When the lock that all days need was not obtained; null after it was. */
  private Long lockedNanos;

  private int deletedAtOnce = DELETED_AT_ONCE;

  DayPartitions(String table, Validation validation) {
    this.table = table;
    this.validation = validation;
  }

  /** Forgets the cached state of the database. */
  void forget() {
    attached.clear();
    failedNanos.clear();
    ranges = Ranges.NONE;
    renewedNanos = null;
    lockedNanos = null;
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
        // The first day that does not get a lock lets the others wait with it.
        boolean due = isDue(lockedNanos, AGAIN_NANOS) && isDue(failedNanos.get(day), againNanos);
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
    lockedNanos = null;
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
   * a user detached is attached again.
   *
   * @param creates whether it may; otherwise it must be there
   */
  private boolean attach(Connection connection, int day, boolean creates) throws SQLException {
    String name = name(day);
    lockedNanos = System.nanoTime();
    try (Statement statement = connection.createStatement()) {
      DayLocks.begin(statement, table);
      long covered = coveredSeconds(connection, day);
      if (covered == 0 && creates) {
        String partition = create(connection, statement, name);
        statement.execute("lock table " + table + "_default in access exclusive mode");
        lockedNanos = null;
        statement.execute(
            "alter table %s attach partition %s for values from (%s) to (%s)"
                .formatted(
                    table, partition, DefaultRange.literal(day), DefaultRange.literal(day + 1)));
        covered = DAY_SECONDS;
      }
      connection.commit();
      lockedNanos = null;
      if (covered > 0 && covered < DAY_SECONDS) {
        LOG.warn(
            "{} has other partitions for a part of the day of {}: its records wait in weir_sink_waiting until partitions cover the whole day or none of it",
            table,
            name);
      }
      return covered == DAY_SECONDS;
    } catch (SQLException e) {
      connection.rollback();
      if (!DayLocks.isOfTheTable(e)) {
        throw e;
      }
      if (!DayLocks.isLater(e)) {
        lockedNanos = null;
      }
      LOG.warn(
          "{} is not attached yet, its records wait in weir_sink_waiting: {}",
          name,
          SqlFailures.line(e));
      return false;
    }
  }

  /** The seconds of a day that partitions have. The default partition refuses the other ones. */
  private long coveredSeconds(Connection connection, int day) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COVERED)) {
      statement.setString(1, table);
      statement.setString(2, LocalDate.ofEpochDay(day) + " 00:00:00+00");
      statement.setString(3, LocalDate.ofEpochDay(day + 1) + " 00:00:00+00");
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getLong(1);
      }
    }
  }

  /** Creates the table of a day if it does not exist, and returns its name. */
  private String create(Connection connection, Statement create, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(QUALIFIED)) {
      statement.setString(1, name);
      statement.setString(2, name);
      statement.setString(3, table);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        String qualified = result.getString(1);
        if (!result.getBoolean(2)) {
          create.execute(
              "create table %s (like %s including all excluding identity)"
                  .formatted(qualified, table));
        }
        return qualified;
      }
    }
  }

  private String name(int day) {
    return table + "_" + LocalDate.ofEpochDay(day).format(NAME);
  }

  /**
   * Drops the partitions of days that are older than the retention, and deletes some of such rows
   * of the default partition. A partition that is in use, or on which a user's object depends, is
   * skipped, so that it never blocks the sink. Tables that are not attached are a user's.
   *
   * @return false if more can be removed soon
   */
  boolean retain(Connection connection, Duration retention, long nowMs) throws SQLException {
    LocalDate firstKept = firstKept(retention, nowMs);
    boolean all = true;
    for (Map.Entry<Integer, String> old : old(connection, firstKept).entrySet()) {
      all &= drop(connection, old.getValue());
      attached.remove(old.getKey());
      failedNanos.remove(old.getKey());
    }
    return deleteFromDefault(connection, firstKept) && all;
  }

  private Map<Integer, String> old(Connection connection, LocalDate firstKept) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OLD)) {
      statement.setString(1, table);
      statement.setString(2, firstKept + " 00:00:00+00");
      statement.setString(3, table);
      Map<Integer, String> old = new TreeMap<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          old.put(result.getInt(2), result.getString(1));
        }
      }
      connection.commit();
      return old;
    }
  }

  /** The first retained day. */
  static LocalDate firstKept(Duration retention, long nowMs) {
    long cutoffMs = nowMs - retention.toMillis();
    return LocalDate.ofEpochDay(Math.floorDiv(cutoffMs, Duration.ofDays(1).toMillis()));
  }

  /**
   * Detaches and drops it in one transaction: it stays where a user's object depends on it.
   *
   * @return false if another attempt may succeed soon
   */
  private boolean drop(Connection connection, String partition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      DayLocks.begin(statement, table);
      statement.execute("set local statement_timeout = '" + DROP_TIMEOUT + "'");
      statement.execute("alter table %s detach partition %s".formatted(table, partition));
      statement.execute("drop table " + partition);
      connection.commit();
      LOG.info("dropped {}", partition);
      return true;
    } catch (SQLException e) {
      connection.rollback(); // Also fails if the connection is lost.
      LOG.warn("{} is in use, retrying later: {}", partition, SqlFailures.line(e));
      return !DayLocks.isLocked(e);
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

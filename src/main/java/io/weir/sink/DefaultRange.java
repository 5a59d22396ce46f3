package io.weir.sink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of days without rows in a default partition, by a CHECK on it: the partition of such a
 * day is attached without a scan of the default partition, which would block its readers. A row of
 * such a day needs a partition, and is refused without one. The CHECK is added early, covers the
 * next {@value #AHEAD} days, and is renewed long before their end.
 *
 * @param first day, since 1970-01-01
 * @param end the day after the last one
 */
record DefaultRange(int first, int end) {
  private static final String PREFIX = "weir_days_";
  private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{8})_(\\d{8})");
  private static final int AHEAD = 400;
  private static final int RENEWED_BELOW = 200;

  /** The validation scan blocks neither readers nor writers. */
  private static final String VALIDATE_TIMEOUT = "80s";

  private static final String CONSTRAINTS =
      """
      select conname, convalidated from pg_constraint
       where conrelid = ?::regclass and contype = 'c' and conname like 'weir\\_days\\_%'""";

  private record Found(DefaultRange range, boolean validated) {}

  boolean covers(int day) {
    return day >= first && day < end;
  }

  /** Whether a constraint of this name is one of these. */
  static boolean isNamed(String constraint) {
    return constraint != null && constraint.startsWith(PREFIX);
  }

  /** The widest valid range; empty if none. */
  static Optional<DefaultRange> load(Connection connection, String table) throws SQLException {
    Optional<DefaultRange> widest = widest(found(connection, table), true);
    connection.commit();
    return widest;
  }

  /**
   * Adds or renews the CHECK if due.
   *
   * @throws SQLException also after a lock timeout: a retry is safe
   */
  static void renew(Connection connection, String table, int today) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      DayLocks.begin(statement);
      List<Found> found = found(connection, table);
      Optional<DefaultRange> valid = widest(found, true);
      Optional<DefaultRange> added = widest(found, false);
      if (added.isEmpty() && valid.filter(range -> range.end - today >= RENEWED_BELOW).isEmpty()) {
        statement.execute("lock table " + table + "_default in access exclusive mode");
        added = next(statement, table, valid, today);
        if (added.isPresent()) {
          statement.execute(added.get().add(table));
        }
      }
      connection.commit();
      if (added.isPresent()) {
        DayLocks.begin(statement);
        statement.execute("set local statement_timeout = '" + VALIDATE_TIMEOUT + "'");
        statement.execute(
            "alter table %s_default validate constraint %s".formatted(table, added.get().name()));
        connection.commit();
      }
      dropNarrower(connection, table, statement);
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    }
  }

  /** The caller has locked the default partition. */
  private static Optional<DefaultRange> next(
      Statement statement, String table, Optional<DefaultRange> valid, int today)
      throws SQLException {
    int first = today - DayPartitions.DAYS_BACK;
    if (valid.isPresent()) {
      first = valid.get().first;
    } else {
      Optional<Integer> newest = day(statement, table, "max", first, today + 1);
      first = newest.isPresent() ? newest.get() + 1 : first;
    }
    int free = Math.max(valid.map(DefaultRange::end).orElse(first), today + 1);
    int end =
        day(statement, table, "min", Math.max(first, free), today + AHEAD).orElse(today + AHEAD);
    boolean more = end > first && valid.filter(range -> range.end >= end).isEmpty();
    return more ? Optional.of(new DefaultRange(first, end)) : Optional.empty();
  }

  /** The first or last of these days with a row. */
  private static Optional<Integer> day(
      Statement statement, String table, String which, int from, int end) throws SQLException {
    String select =
        "select floor(extract(epoch from %s(window_start)) / 86400)::int from %s_default where window_start >= %s and window_start < %s"
            .formatted(which, table, literal(from), literal(end));
    try (ResultSet result = statement.executeQuery(select)) {
      result.next();
      return Optional.ofNullable((Integer) result.getObject(1));
    }
  }

  private static void dropNarrower(Connection connection, String table, Statement statement)
      throws SQLException {
    List<Found> found = found(connection, table);
    Optional<DefaultRange> widest = widest(found, true);
    for (Found candidate : found) {
      if (candidate.validated && !widest.equals(Optional.of(candidate.range))) {
        DayLocks.begin(statement);
        statement.execute(
            "alter table %s_default drop constraint if exists %s"
                .formatted(table, candidate.range.name()));
      }
    }
    connection.commit();
  }

  private static List<Found> found(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CONSTRAINTS)) {
      statement.setString(1, table + "_default");
      List<Found> all = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          Matcher name = NAME.matcher(result.getString(1));
          if (name.matches()) {
            DefaultRange range = new DefaultRange(day(name.group(1)), day(name.group(2)));
            all.add(new Found(range, result.getBoolean(2)));
          }
        }
      }
      return all;
    }
  }

  private static Optional<DefaultRange> widest(List<Found> found, boolean validated) {
    return found.stream()
        .filter(candidate -> candidate.validated == validated)
        .map(Found::range)
        .max(Comparator.comparingInt(DefaultRange::end));
  }

  private String add(String table) {
    return "alter table %s_default add constraint %s check (window_start < %s or window_start >= %s) not valid"
        .formatted(table, name(), literal(first), literal(end));
  }

  private String name() {
    return PREFIX + text(first) + "_" + text(end);
  }

  private static int day(String text) {
    return (int) LocalDate.parse(text, DayPartitions.NAME).toEpochDay();
  }

  private static String text(int day) {
    return LocalDate.ofEpochDay(day).format(DayPartitions.NAME);
  }

  /** The start of a day. */
  static String literal(int day) {
    return "timestamptz '" + LocalDate.ofEpochDay(day) + " 00:00:00+00'";
  }
}

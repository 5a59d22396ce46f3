package io.weir.internal.sink;

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
import java.util.Set;
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

  /** Longer ones have a connection of their own. */
  private static final String VALIDATE_TIMEOUT = "2s";

  private static final Set<String> TOO_LONG = Set.of("57014");
  private static final String CHECK_VIOLATION = "23514";

  private static final String CONSTRAINTS =
      """
      select conname, convalidated from pg_constraint
       where conrelid = ?::regclass and contype = 'c' and conname like 'weir\\_days\\_%'""";

  private record Found(DefaultRange range, boolean validated) {}

  /**
   * The ranges of a default partition.
   *
   * @param valid days in them get their partition at once
   * @param added days in them need one too, and get it after the validation
   */
  record Ranges(List<DefaultRange> valid, List<DefaultRange> added) {
    static final Ranges NONE = new Ranges(List.of(), List.of());

    boolean areValid(int day) {
      return covers(valid, day);
    }

    boolean areAdded(int day) {
      return covers(added, day);
    }

    private static boolean covers(List<DefaultRange> ranges, int day) {
      return ranges.stream().anyMatch(range -> range.covers(day));
    }
  }

  boolean covers(int day) {
    return day >= first && day < end;
  }

  /** Whether a constraint of this name is one of these. */
  static boolean isNamed(String constraint) {
    return constraint != null && constraint.startsWith(PREFIX);
  }

  /** The present ranges. */
  static Ranges load(Connection connection, String table) throws SQLException {
    List<Found> found = found(connection, table);
    connection.commit();
    return new Ranges(of(found, true), of(found, false));
  }

  /**
   * Adds or renews the CHECK if due.
   *
   * @param validation runs a validation that takes long
   * @throws SQLException also after a lock timeout: a retry is safe
   */
  static void renew(Connection connection, String table, int today, Validation validation)
      throws SQLException {
    if (validation.isRunning()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      DayLocks.begin(statement, table);
      List<Found> found = found(connection, table);
      // A range begins tomorrow if rows of today are in the default partition, and later if a sink
      // started with a clock in the future.
      Optional<DefaultRange> valid =
          last(of(found, true).stream().filter(range -> range.first <= today + 1).toList());
      Optional<DefaultRange> added = last(of(found, false));
      if (added.isEmpty() && valid.filter(range -> range.end - today >= RENEWED_BELOW).isEmpty()) {
        statement.execute("lock table " + table + "_default in access exclusive mode");
        added = next(statement, table, valid, today);
        if (added.isPresent()) {
          statement.execute(added.get().add(table));
        }
      }
      connection.commit();
      if (added.isPresent()) {
        validate(connection, statement, table, added.get(), validation);
      }
      dropNarrower(connection, table, statement);
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    }
  }

  private static void validate(
      Connection connection,
      Statement statement,
      String table,
      DefaultRange range,
      Validation validation)
      throws SQLException {
    String validate =
        "alter table %s_default validate constraint %s".formatted(table, range.name());
    try {
      statement.execute("set local lock_timeout = '100ms'");
      statement.execute("set local statement_timeout = '" + VALIDATE_TIMEOUT + "'");
      statement.execute(validate);
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      if (CHECK_VIOLATION.equals(e.getSQLState())) {
        // Rows that were there before it; the next one leaves them out.
        drop(statement, table, range);
        connection.commit();
      } else if (TOO_LONG.contains(String.valueOf(e.getSQLState()))) {
        validation.start(validate);
      } else {
        throw e;
      }
    }
  }

  /** The caller has locked the default partition. */
  private static Optional<DefaultRange> next(
      Statement statement, String table, Optional<DefaultRange> valid, int today)
      throws SQLException {
    int from = valid.map(DefaultRange::end).orElse(today - DayPartitions.DAYS_BACK);
    // Rows that were written behind the last range, when no sink renewed it.
    Optional<Integer> newest = day(statement, table, "max", from, today + 1);
    int first = newest.map(day -> day + 1).orElse(valid.map(DefaultRange::first).orElse(from));
    int end =
        day(statement, table, "min", Math.max(from, today + 1), today + AHEAD)
            .orElse(today + AHEAD);
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
    List<DefaultRange> valid = of(found(connection, table), true);
    for (DefaultRange range : valid) {
      if (valid.stream().anyMatch(range::isWithin)) {
        drop(statement, table, range);
      }
    }
    connection.commit();
  }

  private boolean isWithin(DefaultRange other) {
    return !equals(other) && other.first <= first && other.end >= end;
  }

  private static void drop(Statement statement, String table, DefaultRange range)
      throws SQLException {
    DayLocks.begin(statement, table);
    statement.execute(
        "alter table %s_default drop constraint if exists %s".formatted(table, range.name()));
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

  private static List<DefaultRange> of(List<Found> found, boolean validated) {
    return found.stream()
        .filter(candidate -> candidate.validated == validated)
        .map(Found::range)
        .toList();
  }

  private static Optional<DefaultRange> last(List<DefaultRange> ranges) {
    return ranges.stream().max(Comparator.comparingInt(DefaultRange::end));
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

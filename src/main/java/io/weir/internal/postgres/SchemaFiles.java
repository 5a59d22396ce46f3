package io.weir.internal.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A schema in numbered SQL files, which are run once each, in order. Any thread may call.
 *
 * @param place a class in the package of the files
 * @param files their names, unique among all programs
 * @param command the command that runs them, such as {@code weir sink --init}
 */
public record SchemaFiles(Class<?> place, List<String> files, String command) {
  /** Held while files are run, so that only one of several programs creates the tables. */
  private static final long LOCK = 0x77656972_0001L;

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Indexes and columns of large tables take long. */
  private static final Database.Limits LIMITS =
      new Database.Limits(Duration.ofDays(1), Duration.ofDays(1).plusMinutes(1), TIMEOUT);

  /** Readers wait behind a statement that waits for its lock. */
  private static final String LOCK_TIMEOUT = "set local lock_timeout = '3s'";

  private static final String VERSIONS =
      """
      create table if not exists weir_schema (
        file       text        primary key,
        applied_at timestamptz not null default now()
      )""";

  private static final String ONCE =
      """

      do $weir_file$ begin
      if not exists (select from weir_schema where file = '%1$s') then
      insert into weir_schema (file) values ('%1$s');
      execute $weir_sql$
      -- %1$s

      %2$s$weir_sql$;
      end if;
      end $weir_file$;
      """;

  /** A file, and whether this call ran it. */
  public record Applied(String file, boolean now) {}

  public SchemaFiles {
    files = List.copyOf(files);
  }

  /** All files, concatenated, for psql; a second run skips the files that were run. */
  public String text() {
    StringBuilder text = new StringBuilder("begin;\n");
    text.append("select pg_advisory_xact_lock(").append(LOCK).append(");\n");
    text.append(LOCK_TIMEOUT).append(";\n");
    text.append("set local client_min_messages = warning;\n").append(VERSIONS).append(";\n");
    for (String file : files) {
      text.append(ONCE.formatted(file, sql(file)));
    }
    return text.append("commit;\n").toString();
  }

  /**
   * Runs the new files in one transaction.
   *
   * @throws PostgresRefusedException if the database does not answer or denies it
   */
  public List<Applied> init(DatabaseAddress address) {
    Database database = new Database(address, LIMITS);
    try (Connection connection = database.open()) {
      return init(connection);
    } catch (SQLException e) {
      throw new PostgresRefusedException(database.advice(e));
    }
  }

  /** The same on a connection. */
  public List<Applied> init(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
      statement.execute(LOCK_TIMEOUT);
      statement.execute("set local client_min_messages = warning");
      statement.execute(VERSIONS);
      Set<String> before = applied(connection);
      List<Applied> all = new ArrayList<>();
      for (String file : files) {
        boolean now = !before.contains(file);
        if (now) {
          run(file, connection);
        }
        all.add(new Applied(file, now));
      }
      connection.commit();
      return all;
    }
  }

  /**
   * Checks that the tables exist.
   *
   * @throws PostgresRefusedException if a file was not run
   * @throws SQLException also if none exists
   */
  public void require(Connection connection, Database database) throws SQLException {
    Set<String> applied = applied(connection);
    connection.commit();
    for (String file : files) {
      if (!applied.contains(file)) {
        throw new PostgresRefusedException(
            database.name() + " lacks the tables of " + file + "; run " + command);
      }
    }
  }

  private void run(String file, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement mark =
            connection.prepareStatement("insert into weir_schema (file) values (?)")) {
      statement.execute(sql(file));
      mark.setString(1, file);
      mark.executeUpdate();
    }
  }

  private static Set<String> applied(Connection connection) throws SQLException {
    Set<String> files = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select file from weir_schema")) {
      while (result.next()) {
        files.add(result.getString(1));
      }
    }
    return files;
  }

  /** The content of one of the files. */
  public String sql(String file) {
    try (InputStream in = place.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which open transaction rows wait for, on a real server. */
class HeldBackTest {
  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws SQLException {
    postgres =
        EmbeddedPostgres.start(0, Map.of("max_prepared_transactions", "2", "autovacuum", "off"));
    try (Connection connection = postgres.connect()) {
      execute(connection, "create table elsewhere (n int)");
      execute(connection, "create role onlooker login");
      execute(connection, "create database other");
    }
  }

  @AfterAll
  static void close() {
    postgres.close();
  }

  @Test
  void writerOfAnotherTable_orOfAnotherDatabase_isNamed_andAReaderIsNot() throws Exception {
    try (Connection looking = postgres.connect();
        Connection reader = open("postgres", "reader");
        Connection writer = open("postgres", "writer");
        Connection stranger = open("other", "stranger")) {
      execute(reader, "select count(*) from elsewhere");
      assertThat(holdsBack(looking)).isFalse();

      execute(writer, "insert into elsewhere values (1)");
      assertThat(holdsBack(looking)).isTrue();
      assertThat(HeldBack.find(looking).by()).isEqualTo(HeldBack.By.TRANSACTION);
      assertThat(HeldBack.find(looking).who())
          .contains("application writer", "idle in transaction");

      execute(stranger, "create table there (n int)");
      assertThat(HeldBack.find(looking).who()).as("the oldest").contains("application writer");
      writer.commit();
      assertThat(holdsBack(looking)).isTrue();
      assertThat(HeldBack.find(looking).who()).contains("application stranger");
      stranger.rollback();
      assertThat(holdsBack(looking)).isFalse();
    }
  }

  @Test
  void preparedTransaction_isNamed() throws Exception {
    try (Connection looking = postgres.connect();
        Connection writer = open("postgres", "writer")) {
      execute(writer, "insert into elsewhere values (1)");
      execute(writer, "prepare transaction 'order-7'");

      assertThat(holdsBack(looking)).isTrue();
      assertThat(HeldBack.find(looking).by()).isEqualTo(HeldBack.By.PREPARED);
      assertThat(HeldBack.find(looking).who()).contains("'order-7'");
      execute(looking, "rollback prepared 'order-7'");
      assertThat(holdsBack(looking)).isFalse();
    }
  }

  @Test
  void transactionOfAnotherRole_isNamed_andWhatWouldSayMore() throws Exception {
    String url = postgres.jdbcUrl().replaceAll("user=\\w+", "user=onlooker");
    try (Connection looking = DriverManager.getConnection(url);
        Connection writer = open("postgres", "writer")) {
      execute(writer, "insert into elsewhere values (1)");

      assertThat(holdsBack(looking)).isTrue();
      assertThat(HeldBack.find(looking).by()).isEqualTo(HeldBack.By.TRANSACTION);
      assertThat(HeldBack.find(looking).who())
          .matches(
              "the transaction of pid \\d+ \\(weir\\), more of which this role may not see"
                  + " \\(grant pg_read_all_stats\\)");
      writer.rollback();
    }
  }

  /** Whether a row that is committed now would wait. */
  private static boolean holdsBack(Connection connection) throws SQLException {
    String own = text(connection, "select pg_current_xact_id()::text");
    return text(
            connection,
            "select ('" + own + "'::xid8 >= pg_snapshot_xmin(pg_current_snapshot()))::text")
        .equals("true");
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private static Connection open(String database, String application) throws SQLException {
    String url = postgres.jdbcUrl().replace("/postgres?", "/" + database + "?");
    Connection connection = DriverManager.getConnection(url + "&ApplicationName=" + application);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

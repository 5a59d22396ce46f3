package io.weir.internal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.postgres.Database.SessionParameters;
import io.weir.lab.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionParametersTest {
  private static final String URL = "jdbc:postgresql://h:5432/plant";

  @Test
  void settingsOfTheSession_leaveTheAddress() {
    SessionParameters parameters =
        SessionParameters.of(
            URL + "?sslmode=require&currentSchema=hall_2%2Cpublic&options=-c%20work_mem%3D8MB");

    assertThat(parameters.url()).isEqualTo(URL + "?sslmode=require");
    assertThat(parameters.settings())
        .isEqualTo(Map.of("search_path", "hall_2,public", "work_mem", "8MB"));
  }

  @Test
  void addressWithNothingElse_hasNoQuestionMark() {
    assertThat(SessionParameters.of(URL + "?currentSchema=a").url()).isEqualTo(URL);
    assertThat(SessionParameters.of(URL)).isEqualTo(new SessionParameters(URL, Map.of()));
  }

  @Test
  void options_areReadInBothForms_andOthersStay() {
    assertThat(options("-c geqo=off --work-mem=8MB -csearch_path=a\\ b"))
        .isEqualTo(Map.of("geqo", "off", "work_mem", "8MB", "search_path", "a b"));
    for (String other : List.of("-W 3", "-c geqo=off -W 3", "geqo=off", "-c geqo")) {
      assertThat(options(other)).as(other).isEmpty();
      assertThat(SessionParameters.of(URL + "?options=" + other).url()).contains("options=");
    }
  }

  private static Map<String, String> options(String text) {
    return SessionParameters.of(URL + "?options=" + text).settings();
  }

  @Test
  void session_hasThem() throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
      DatabaseAddress address =
          new DatabaseAddress(
              postgres.jdbcUrl() + "&currentSchema=hall_2,public&options=-c%20work_mem=8MB",
              Optional.empty(),
              Optional.empty(),
              "weir test",
              "weir.test.jdbc");
      Database database = new Database(address, Database.Limits.of(Duration.ofMinutes(1)));
      try (Connection connection = database.open();
          Statement statement = connection.createStatement();
          ResultSet result =
              statement.executeQuery(
                  "select current_setting('search_path'), current_setting('work_mem')")) {
        result.next();
        assertThat(result.getString(1)).isEqualTo("hall_2,public");
        assertThat(result.getString(2)).isEqualTo("8MB");
      }
    }
  }

  @Test
  void refusalOfAParameterByAPooler_isNoOutage() {
    SQLException refused =
        new SQLException("FATAL: unsupported startup parameter: search_path", "08P01");

    assertThat(SqlFailures.of(refused)).isEqualTo(SqlFailures.FATAL);
    assertThat(SqlFailures.of(new SQLException("FATAL: query_wait_timeout", "08P01")))
        .isEqualTo(SqlFailures.TRANSIENT);
  }
}

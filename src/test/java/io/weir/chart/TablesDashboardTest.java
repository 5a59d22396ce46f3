package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.app.SinkSettings;
import io.weir.internal.sink.SinkSchema;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.Topic;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every query of the dashboard on the sink's tables, asked as Grafana would. */
@Timeout(300)
class TablesDashboardTest {
  private static final String RELEASE =
      """
      monitoring: {dashboard: {enabled: true}}
      sink: {enabled: %s}
      config: {"weir.sink.jdbc.url": "jdbc:postgresql://db/weir"}
      """;

  private static EmbeddedPostgres postgres;
  private static Connection connection;

  @BeforeAll
  static void start() throws SQLException {
    HelmChart.assumeHelm();
    postgres = EmbeddedPostgres.start();
    SinkSchema.init(
        new SinkSettings(
            Optional.of(postgres.jdbcUrl()),
            Optional.empty(),
            Optional.empty(),
            List.of(Topic.WINDOWS),
            1,
            Duration.ofSeconds(1),
            Optional.empty(),
            Duration.ofDays(30)));
    connection = postgres.connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute(ROWS);
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    if (postgres != null) {
      connection.close();
      postgres.close();
    }
  }

  /** Windows, rollups and a group of the last minutes, a silent sensor with an alarm, a reject. */
  private static final String ROWS =
      """
      insert into weir_windows
      select sensor, at, at + interval '10 seconds', 10, 50 + i, 1, 9, 1, 0, 'EVENT_TIME', false,
             at, 1, at + interval '9 seconds', 9, 12.5,
             '{"scale": 0, "zero_count": 0, "positive": {"offset": 0, "counts": [4, 6]},
               "negative": {"offset": 0, "counts": []}}', 1, 1, 0, 0, 1, i
        from unnest(array['boiler-1', 'it''s']) sensor, generate_series(1, 20) i,
             lateral (select date_trunc('second', now()) - i * interval '10 seconds' as at) t;
      insert into weir_sensors
      select sensor_id, max(date_trunc('day', window_start at time zone 'UTC') at time zone 'UTC')
        from weir_windows group by sensor_id;
      insert into weir_rollups select sensor_id, window_start, window_start + interval '1 minute',
             count, sum, min, max, bad_count, revision, close_reason, is_final, first_timestamp, first,
             last_timestamp, last, m2, histogram, integral, increase, resets, uncertain_count,
             topic_generation, kafka_offset from weir_windows;
      insert into weir_groups values
        ('plant', now() - interval '2 minutes', now() - interval '1 minute', 2, 20, 100, 1, 9,
         'boiler-1', 'it''s', 2, 0, 1, 1);
      insert into weir_status values
        ('boiler-1', 'SILENT', now() - interval '5 minutes', now() - interval '10 minutes', 'g-1',
         jsonb_build_array(jsonb_build_object('rule', 'too-hot', 'level', 'high', 'active', true,
           'since_ms', floor(extract(epoch from now()) * 1000) - 60000, 'value', 99.5,
           'priority', 0)), 1, 1);
      insert into weir_sink_rejects values ('weir.windows', 1, 0, 0, 'UNDECODABLE', 'm', null, null);
      """;

  private static Optional<JsonNode> dashboard(String namespace, boolean withSink)
      throws IOException {
    String rendered = HelmChart.renderIn(namespace, RELEASE.formatted(withSink));
    for (Manifest manifest : Manifest.all(rendered)) {
      if (manifest.kind().equals("ConfigMap") && manifest.name().endsWith("-dashboard-tables")) {
        return Optional.of(
            new ObjectMapper().readTree((String) manifest.at("data", "weir-tables.json")));
      }
    }
    return Optional.empty();
  }

  @Test
  void everyQuery_hasRows_andAValueInEveryColumn() throws Exception {
    JsonNode dashboard = dashboard("", true).orElseThrow();
    Map<String, String> queries = queries(dashboard);
    assertThat(queries).hasSizeGreaterThan(20);

    for (Map.Entry<String, String> query : queries.entrySet()) {
      Set<String> empty = emptyColumns(query.getKey(), literal(query.getValue()));
      assertThat(empty).as("columns of %s without a value", query.getKey()).isEmpty();
    }
  }

  /** The naive way: all readings of a minute added up, and divided by their number. */
  @Test
  void meanOverTime_isThatOfAllReadingsOfAPoint() throws Exception {
    Map<String, double[]> sums = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select sensor_id, extract(epoch from window_start)::bigint as at, sum, count"
                    + " from weir_windows")) {
      while (row.next()) {
        String point = row.getLong("at") / 60 * 60 + " " + row.getString("sensor_id");
        double[] sum = sums.computeIfAbsent(point, any -> new double[2]);
        sum[0] += row.getDouble("sum");
        sum[1] += row.getLong("count");
      }
    }
    Map<String, Double> found = new TreeMap<>();
    String mean = literal(queries(dashboard("", true).orElseThrow()).get("panel Mean"));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(mean)) {
      while (row.next()) {
        found.put(row.getLong("time") + " " + row.getString("metric"), row.getDouble("mean"));
      }
    }
    Map<String, Double> expected = new TreeMap<>();
    sums.forEach((point, sum) -> expected.put(point, sum[0] / sum[1]));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void timeSeries_haveATime_andEveryPanelItsDataSource() throws Exception {
    for (JsonNode panel : dashboard("", true).orElseThrow().path("panels")) {
      if (panel.path("type").asText().equals("row")) {
        continue;
      }
      assertThat(panel.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
      for (JsonNode target : panel.path("targets")) {
        if (target.path("format").asText().equals("time_series")) {
          assertThat(columns(literal(target.path("rawSql").asText()))).contains("time", "metric");
        }
      }
    }
  }

  @Test
  void dashboard_isThereWithTheSinkAlone_andTwoReleasesHaveOneEach() throws IOException {
    assertThat(dashboard("", false)).isEmpty();
    assertThat(dashboard("plant", true).orElseThrow().path("uid").asText())
        .isEqualTo("plant-weir-tables");
    assertThat(dashboard("plant", true).orElseThrow().path("title").asText())
        .isEqualTo("Weir, weir in plant, tables");
    assertThat(dashboard("", true).orElseThrow().path("uid").asText()).isEqualTo("weir-tables");
  }

  /** Of panels, variables and annotations, by what they are of. */
  private static Map<String, String> queries(JsonNode dashboard) {
    Map<String, String> queries = new TreeMap<>();
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String owner = "panel " + panel.path("title").asText();
        assertThat(queries.put(owner, target.path("rawSql").asText())).as(owner).isNull();
      }
    }
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      if (variable.path("type").asText().equals("query")) {
        queries.put("variable " + variable.path("name").asText(), variable.path("query").asText());
      }
    }
    for (JsonNode annotation : dashboard.path("annotations").path("list")) {
      queries.put(
          "annotation " + annotation.path("name").asText(),
          annotation.path("target").path("rawSql").asText());
    }
    return queries;
  }

  /** Macros and variables replaced as Grafana's data source for PostgreSQL does. */
  private static String literal(String query) {
    Instant now = Instant.now();
    String between =
        "$1 BETWEEN '%s' AND '%s'"
            .formatted(now.minus(Duration.ofHours(6)), now.plus(Duration.ofMinutes(1)));
    String literal =
        query
            .replaceAll("\\$__timeFilter\\((\\w+)\\)", between)
            .replaceAll(
                "\\$__timeGroupAlias\\((\\w+), \\$__interval\\)",
                "floor(extract(epoch from $1)/60)*60 AS \"time\"")
            .replace("${sensor:sqlstring}", "'boiler-1','it''s'")
            .replace("${group:sqlstring}", "'plant'")
            .replace("${span:sqlstring}", "'60'")
            .replace("${filter:sqlstring}", "'%'");
    assertThat(literal).doesNotContain("$");
    return literal;
  }

  private static Set<String> emptyColumns(String owner, String query) throws SQLException {
    Set<String> empty = new TreeSet<>(columns(query));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      boolean any = false;
      while (row.next()) {
        any = true;
        for (String column : List.copyOf(empty)) {
          if (row.getObject(column) != null) {
            empty.remove(column);
          }
        }
      }
      assertThat(any).as("%s: %s", owner, query).isTrue();
    }
    return empty;
  }

  private static List<String> columns(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      ResultSetMetaData meta = row.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        columns.add(meta.getColumnLabel(i));
      }
      return columns;
    }
  }
}

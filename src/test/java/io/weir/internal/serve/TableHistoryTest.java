package io.weir.internal.serve;

import static io.weir.internal.serve.ServeFixture.NOW_MS;
import static io.weir.internal.serve.ServeFixture.SIZE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.postgres.DatabaseAddress;
import io.weir.internal.serve.memory.Memory.History;
import io.weir.internal.serve.memory.Stored;
import io.weir.internal.sink.SinkSchema;
import io.weir.internal.sink.StoredWindows;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Older windows come from the tables of the sink, with all that the messages had. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TableHistoryTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PARTITION = SensorPartition.of("a");
  private static final long OLD_MS = NOW_MS - 86_400_000;

  private static EmbeddedPostgres postgres;

  private final TableHistory tables =
      new TableHistory(new StoredWindows(address(postgres.jdbcUrl())), Topic::text);

  @BeforeAll
  static void start() throws SQLException {
    postgres = EmbeddedPostgres.start();
    SinkSchema.init(
        WeirConfig.of(new Properties(), Map.of(), Map.of("sink.jdbc.url", postgres.jdbcUrl()))
            .sink());
    execute("create role reader login");
    execute("grant select on all tables in schema public to reader");
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    execute("truncate weir_windows, weir_rollups, weir_hopping, weir_sink_offsets");
    execute(
        """
        insert into weir_sink_offsets (name, topic_id, generation, partition, epoch, next_offset)
        values ('windows', gen_random_uuid(), 1, %d, 1, 100)"""
            .formatted(PARTITION));
  }

  private static DatabaseAddress address(String url) {
    return new DatabaseAddress(
        url, Optional.of("reader"), Optional.empty(), "weir serve", "weir.serve.jdbc");
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void insert(String table, long startMs, long endMs, String more)
      throws SQLException {
    execute(
        """
        insert into %s (sensor_id, window_start, window_end, count, sum, min, max, bad_count,
                        revision, close_reason, is_final, topic_generation, kafka_offset%s
        """
            .formatted(table, more)
            .replace("$1", "to_timestamp(" + startMs + " / 1000.0)")
            .replace("$2", "to_timestamp(" + endMs + " / 1000.0)"));
  }

  private static String row(int offset) {
    return ") values ('a', $1, $2, 2, 141, 70, 71, 1, 3, 'AMENDED', true, 1, " + offset + ")";
  }

  @Test
  void row_isTheMessageThatItWasMadeOf() throws Exception {
    insert(
        "weir_windows",
        OLD_MS,
        OLD_MS + SIZE_MS,
        """
        , first_timestamp, first, last_timestamp, last, m2, histogram, integral, increase, resets,
          uncertain_count, sum_rest, mean, standard_deviation, time_weighted_average)
        values ('a', $1, $2, 2, 141, 70, 71, 1, 4294967295, 'AMENDED', true, 1, 7, $1, 70,
                $2, 71, 0.5,
                '{"scale":3,"zero_count":18446744073709551615,
                  "positive":{"offset":-4,"counts":[1,0,1]},"negative":{"offset":0,"counts":[]}}',
                1.5, 1, 2, 1, '{1e-20,-1e-40}', 70.5, 0.7, 70.25)""");

    History<Stored> found = tables.find(Topic.WINDOWS, "a", OLD_MS, OLD_MS + 1, 100).orElseThrow();

    assertThat(found.complete()).isTrue();
    Stored row = found.rows().get(0);
    assertThat(List.of(row.partition(), row.offset())).isEqualTo(List.of(PARTITION, 7L));
    WindowSummary.Builder expected =
        WindowSummary.newBuilder()
            .setSensorId("a")
            .setWindowStartMs(OLD_MS)
            .setWindowEndMs(OLD_MS + SIZE_MS)
            .setCount(2)
            .setSum(141)
            .setMin(70)
            .setMax(71)
            .setBadCount(1)
            .setRevision(-1)
            .setCloseReason(CloseReason.CLOSE_REASON_AMENDED)
            .setIsFinal(true)
            .setFirstTimestampMs(OLD_MS)
            .setFirst(70)
            .setLastTimestampMs(OLD_MS + SIZE_MS)
            .setLast(71)
            .setM2(0.5)
            .setIntegral(1.5)
            .setIncrease(1)
            .setResets(2)
            .setUncertainCount(1)
            .addSumRest(1e-20)
            .addSumRest(-1e-40)
            .setMean(70.5)
            .setStandardDeviation(0.7)
            .setTimeWeightedAverage(70.25);
    expected.getHistogramBuilder().setScale(3).setZeroCount(-1);
    expected.getHistogramBuilder().getPositiveBuilder().setOffset(-4);
    expected.getHistogramBuilder().getPositiveBuilder().addAllCounts(List.of(1L, 0L, 1L));
    expected.getHistogramBuilder().getNegativeBuilder();
    assertThat(WindowSummary.parseFrom(row.value())).isEqualTo(expected.build());
  }

  /** Four questions at a time, each of them of any span. */
  @Test
  void largeRowsWithoutEnd_areNotAllRead() throws Exception {
    execute(
        """
        insert into weir_windows (sensor_id, window_start, window_end, count, sum, min, max,
                                  bad_count, revision, close_reason, is_final, topic_generation,
                                  kafka_offset, sum_rest)
        select 'a', to_timestamp(%d / 1000.0) + i * interval '1 s',
               to_timestamp(%d / 1000.0) + i * interval '1 s', 1, 1, 1, 1, 0, 0, 'TIME', true, 1, i,
               array_fill(1e-20::float8, array[100000])
          from generate_series(1, 60) i"""
            .formatted(OLD_MS, OLD_MS + SIZE_MS));

    // A busy machine may need more than the time that a question has.
    Optional<History<Stored>> answer = Optional.empty();
    for (int i = 0; i < 10 && answer.isEmpty(); i++) {
      answer = tables.find(Topic.WINDOWS, "a", OLD_MS, NOW_MS, 100);
    }

    History<Stored> found = answer.orElseThrow();
    assertThat(found.complete()).isFalse();
    assertThat(found.rows().get(0).offset()).isEqualTo(60);
    assertThat(found.rows().stream().mapToLong(row -> row.value().length).sum())
        .isBetween(30L << 20, 34L << 20);
  }

  /** Memory first, tables before it; rollups and hopping windows from their own. */
  @Test
  void answers_joinMemoryAndTables_andSayTheSource() throws Exception {
    insert("weir_windows", OLD_MS, OLD_MS + SIZE_MS, row(7));
    insert("weir_windows", NOW_MS - 600_000, NOW_MS - 600_000 + SIZE_MS, row(8));
    insert("weir_hopping", OLD_MS, OLD_MS + 60_000, row(1));
    try (ServeFixture serve = new ServeFixture(Optional.empty(), 4, Optional.of(tables))) {
      serve.memory.begin(Topic.WINDOWS, PARTITION, 100, false);
      serve.memory.begin(Topic.ROLLUPS, PARTITION, 0, false);
      serve.memory.begin(Topic.HOPPING, PARTITION, 100, false);
      serve.window("a", NOW_MS - 600_000, 1);
      serve.window("a", NOW_MS - 600_000 + SIZE_MS, 1);

      JsonNode all = windows(serve, "from=" + OLD_MS);
      assertThat(all.findValuesAsText("count")).containsExactly("2", "1", "1");
      assertThat(all.get("source").asText()).isEqualTo("tables");
      assertThat(all.get("complete").asBoolean()).isTrue();
      assertThat(all.at("/windows/0/offset").asInt()).isEqualTo(7);
      JsonNode hopping = windows(serve, "size=1m&from=" + OLD_MS);
      assertThat(hopping.at("/windows/0/window_end_ms").asLong()).isEqualTo(OLD_MS + 60_000);
      // The sink has not said how far it wrote these.
      assertThat(hopping.get("complete").asBoolean()).isFalse();
    }
  }

  @Test
  void withoutTheDatabase_memoryAnswers_andIsNotComplete() throws Exception {
    TableHistory away =
        new TableHistory(
            new StoredWindows(address("jdbc:postgresql://127.0.0.1:1/weir")), Topic::text);
    try (ServeFixture serve = new ServeFixture(Optional.empty(), 4, Optional.of(away))) {
      serve.memory.begin(Topic.WINDOWS, PARTITION, 100, false);
      serve.window("a", NOW_MS - 600_000, 1);
      JsonNode all = windows(serve, "from=" + OLD_MS);
      assertThat(all.get("source").asText()).isEqualTo("memory");
      assertThat(all.get("complete").asBoolean()).isFalse();
      assertThat(all.get("windows")).hasSize(1);
    }
  }

  private static JsonNode windows(ServeFixture serve, String parameters) throws Exception {
    HttpResponse<String> answer = serve.get("/api/v1/windows?id=a&" + parameters);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }
}

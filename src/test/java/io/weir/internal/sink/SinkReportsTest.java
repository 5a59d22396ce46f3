package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Seeds;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import io.weir.summary.Derived;
import io.weir.summary.WindowSummaryEncoder;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reports ask of the tables. */
@Timeout(120)
class SinkReportsTest extends SinkTablesFixture {
  private static final TableMapping ROLLUPS = TableMapping.of(Topic.ROLLUPS);
  private static final int SETS =
      StatisticSet.HISTOGRAM.bit() | StatisticSet.VARIANCE.bit() | StatisticSet.SUM_REST.bit();

  private static Aggregate empty() {
    return new Aggregate(new Statistics(SETS, 10_000));
  }

  private static WindowSummary summary(String sensor, long startMs, long endMs, Aggregate values)
      throws InvalidProtocolBufferException {
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    return WindowSummary.parseFrom(
        WindowSummaryEncoder.encode(id, startMs, endMs, 0, values, CloseReason.EVENT_TIME));
  }

  @Test
  void mergedHistograms_areThoseOfAllReadings() {
    Seeds.forEach(
        20,
        random -> {
          execute("truncate weir_windows, weir_sink_offsets");
          int exponents = random.nextBoolean() ? 4 : 1_900;
          Aggregate whole = empty();
          Batch batch = new Batch();
          List<Double> readings = new ArrayList<>();
          for (int part = 0; part < 1 + random.nextInt(5); part++) {
            Aggregate own = empty();
            for (int i = 0; i < 1 + random.nextInt(40); i++) {
              double value =
                  random.nextInt(10) == 0
                      ? 0
                      : Math.scalb(
                          random.nextGaussian(), random.nextInt(exponents) - exponents / 2);
              own.add(i, value, false);
              whole.add(i, value, false);
              readings.add(value);
            }
            add(batch, summary("part", part * 10_000L, part * 10_000L + 10_000, own));
          }
          add(batch, summary("whole", 0, 10_000, whole));
          write(batch);

          String merged =
              "(select weir_histogram_merge(histogram) from weir_windows where sensor_id = 'part')";
          String expected = "(select histogram from weir_windows where sensor_id = 'whole')";
          assertThat(strings("select coalesce(%s = %s, false)".formatted(merged, expected)))
              .as("%s, not %s", strings("select " + merged), strings("select " + expected))
              .containsExactly("t");
          WindowSummary all = summary("whole", 0, 10_000, whole);
          double error = Derived.quantileError(all).orElseThrow();
          double p90 =
              Double.parseDouble(
                  strings("select weir_histogram_quantile(" + merged + ", 0.9)").get(0));
          double exact =
              readings.stream().sorted().toList().get((9 * readings.size() + 9) / 10 - 1);
          assertThat(p90).isCloseTo(exact, within(Math.abs(exact) * error * 1.000001));
        });
  }

  @Test
  void noHistogram_isMergedToNone() throws Exception {
    assertThat(strings("select weir_histogram_merge(null::jsonb) is null")).containsExactly("t");
    assertThat(
            strings(
                "select weir_histogram_quantile(weir_histogram_merge(null::jsonb), 0.5) is null"))
        .containsExactly("t");
  }

  @Test
  void quantilesOfSql_areThoseOfJava_alsoNearTheLargestDouble() throws Exception {
    double[] values = {-1.7e308, -3, 0, 0.07, 8.5e307, 1.75e308, Double.MAX_VALUE};
    Aggregate window = empty();
    for (double value : values) {
      window.add(0, value, false);
    }
    WindowSummary summary = summary("large", 0, 10_000, window);
    Batch batch = new Batch();
    add(batch, summary);
    write(batch);

    for (double q : new double[] {0.01, 1 / 7.0, 0.5, 5 / 7.0, 6 / 7.0, 0.99, 1}) {
      double found =
          Double.parseDouble(
              strings(
                      "select weir_quantile(histogram, count, min, max, "
                          + q
                          + ") from weir_windows")
                  .get(0));
      double expected = Derived.quantile(summary, q).orElseThrow();
      assertThat(found).as("q%s", q).isCloseTo(expected, within(Math.abs(expected) * 1e-9));
    }
  }

  @Test
  void theRestOfASum_isInTheTable_bitForBit() throws Exception {
    Aggregate window = empty();
    for (double value : new double[] {1e16, 1, 1e-30, Double.MIN_VALUE}) {
      window.add(0, value, false);
    }
    Batch batch = new Batch();
    add(batch, summary("rest", 0, 10_000, window));
    add(batch, window("none", 0, 0));
    write(batch);

    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select sum_rest from weir_windows where sensor_id = 'rest'")) {
      row.next();
      Double[] rest = (Double[]) row.getArray(1).getArray();
      assertThat(rest)
          .containsExactly(
              IntStream.range(0, rest.length)
                  .mapToObj(i -> window.sumRest()[i])
                  .toArray(Double[]::new))
          .isNotEmpty();
    }
    assertThat(strings("select sum_rest is null from weir_windows where sensor_id = 'none'"))
        .containsExactly("t");
  }

  /** By the functions of SQL where the sink that wrote a row did not compute them. */
  @Test
  void rowsWithoutDerivedNumbers_haveThemInTheView() {
    Seeds.forEach(
        3,
        random -> {
          execute("truncate weir_windows, weir_sink_offsets");
          Batch batch = new Batch();
          for (int i = 0; i < 50; i++) {
            Aggregate window = empty();
            for (int n = 0; n < 1 + random.nextInt(20); n++) {
              window.add(n, 20 + random.nextGaussian(), false);
            }
            add(batch, summary("s-" + i, 0, 10_000, window));
          }
          write(batch);
          String derived =
              "select concat_ws(' ', sensor_id, round(mean::numeric, 9),"
                  + " round(standard_deviation::numeric, 9), round(p50::numeric, 6),"
                  + " round(p95::numeric, 6), round(p99::numeric, 6))"
                  + " from weir_windows_derived order by sensor_id";
          List<String> stored = strings(derived);
          execute(
              "update weir_windows set mean = null, standard_deviation = null, p50 = null,"
                  + " p95 = null, p99 = null");
          assertThat(strings(derived)).isEqualTo(stored).hasSize(50);
        });
  }

  @Test
  void aRollupOfEachSize_countsEachReadingOnce() throws Exception {
    Batch batch = new Batch();
    for (int minute = 0; minute < 60; minute++) {
      batch.add(ROLLUPS, 1, record(span(minute * 60_000L, 60_000)));
    }
    batch.add(ROLLUPS, 1, record(span(0, 3_600_000).toBuilder().setCount(60).build()));
    write(batch);

    assertThat(strings("select sum(count)::text from weir_rollups_1m")).containsExactly("60");
    assertThat(strings("select sum(count)::text from weir_rollups_1h")).containsExactly("60");
    assertThat(strings("select count(*)::text from weir_rollups_1d")).containsExactly("0");
    assertThat(
            strings(
                "select size_ms || ' ' || sum(count) from weir_rollups group by size_ms order by 1"))
        .containsExactly("3600000 60", "60000 60");
  }

  /** Each reading once, also while the sink has the windows of a span and not yet its rollup. */
  @Test
  void now_isTheRollups_andTheWindowsOfTheSpanThatIsNotClosed() {
    long hourMs = 3_600_000;
    Seeds.forEach(
        3,
        random -> {
          execute("truncate weir_windows, weir_rollups, weir_sensors, weir_sink_offsets");
          long firstMs = 1_770_076_800_000L + random.nextInt(48) * hourMs;
          int hours = 1 + random.nextInt(20);
          Map<Long, Aggregate> byHour = new TreeMap<>();
          int minutes = hours * 60 - random.nextInt(55);
          Batch batch = new Batch();
          for (int minute = 0; minute < minutes; minute += 5) {
            long startMs = firstMs + minute * 60_000L;
            Aggregate window = empty();
            Aggregate hour = byHour.computeIfAbsent(startMs / hourMs * hourMs, anyHour -> empty());
            for (int i = 0; i <= random.nextInt(3); i++) {
              double value = random.nextGaussian();
              Stream.of(window, hour).forEach(part -> part.add(startMs, value, false));
            }
            add(batch, summary("s", startMs, startMs + 300_000, window));
          }
          long open = random.nextInt(2);
          for (Map.Entry<Long, Aggregate> hour : byHour.entrySet()) {
            long startMs = hour.getKey();
            if (startMs < firstMs + (hours - 1 - open) * hourMs) {
              batch.add(
                  ROLLUPS, 1, record(summary("s", startMs, startMs + hourMs, hour.getValue())));
            }
          }
          write(batch);

          List<String> rows =
              strings(
                  "select concat_ws(' ', extract(epoch from window_start)::bigint * 1000,"
                      + " is_closed::text, count, min, max, mean, p95)"
                      + " from weir_now_1h order by window_start");
          assertThat(rows).hasSameSizeAs(byHour.keySet());
          int next = 0;
          for (Map.Entry<Long, Aggregate> hour : byHour.entrySet()) {
            long startMs = hour.getKey();
            WindowSummary expected = summary("s", startMs, startMs + hourMs, hour.getValue());
            String[] row = rows.get(next++).split(" ");
            assertThat(row)
                .startsWith(
                    String.valueOf(startMs),
                    String.valueOf(startMs < firstMs + (hours - 1 - open) * hourMs),
                    String.valueOf(expected.getCount()));
            assertThat(Stream.of(row).skip(3).mapToDouble(Double::parseDouble).toArray())
                .containsExactly(
                    new double[] {
                      expected.getMin(),
                      expected.getMax(),
                      expected.getMean(),
                      Derived.quantile(expected, 0.95).orElseThrow()
                    },
                    within(1e-9));
          }
          assertThat(strings("select sum(count)::text from weir_now_1d"))
              .containsExactly(String.valueOf(sinceYesterday(byHour)));
        });
  }

  /** Without rollups of a day: the days of the newest two. */
  private static long sinceYesterday(Map<Long, Aggregate> byHour) {
    long dayMs = MS_A_DAY;
    long newest = byHour.keySet().stream().max(Long::compare).orElseThrow() / dayMs;
    return byHour.entrySet().stream()
        .filter(hour -> hour.getKey() / dayMs >= newest - 1)
        .mapToLong(hour -> hour.getValue().count())
        .sum();
  }

  private static WindowSummary span(long startMs, long sizeMs) {
    return window("a", startMs, 0).toBuilder().setWindowEndMs(startMs + sizeMs).build();
  }

  @Test
  void theLastMinutesOfAllSensors_areFoundByTheirTime() throws Exception {
    int day = 20_000;
    new DayPartitions("weir_windows", Validation.NONE).ensure(connection, Set.of(day), day);
    execute(
        "insert into weir_windows (sensor_id, window_start, window_end, count, bad_count, revision,"
            + " close_reason, is_final, topic_generation, kafka_offset)"
            + " select 's-' || s, t, t + interval '10 s', 1, 0, 0, 'EVENT_TIME', false, 1, 1"
            + " from generate_series(timestamptz '2024-10-04 00:00Z', '2024-10-04 05:59Z',"
            + " interval '1 min') t, generate_series(1, 100) s");
    execute("analyze weir_windows");

    assertThat(
            String.join(
                "\n",
                strings(
                    "explain (costs off) select sensor_id, sum(sum) / sum(count) from weir_windows"
                        + " where window_start >= '2024-10-04 05:55Z' group by 1")))
        .contains("Index Cond: (window_start >=")
        .doesNotContain("Seq Scan on weir_windows_20241004");
  }

  /** With the statements of docs/postgresql.md. */
  @Test
  void whatHasChangedSince_isFoundByItsRecord() throws Exception {
    List<String> sql = documented();
    Batch batch = new Batch();
    add(batch, window("same", 0, 0));
    add(batch, window("amended", 0, 0));
    write(batch);
    assertThat(
            strings(
                "select count(*)::text from weir_windows where updated_at <= clock_timestamp()"))
        .containsExactly("2");
    execute("drop table if exists seen");
    execute(sql.get(0));
    try {
      assertThat(strings(sql.get(1))).isEmpty();
      add(batch, window("new", 0, 0));
      add(batch, window("amended", 0, 1));
      write(batch);
      assertThat(strings(sql.get(1))).containsExactlyInAnyOrder("amended", "new");
      assertThat(String.join("\n", explained(sql.get(1))))
          .contains("kafka_partition = p.kafka_partition) AND (ROW(");
    } finally {
      execute("drop table seen");
    }
  }

  /** A record that waits for its day has an offset below those that were written. */
  @Test
  void aRecordThatWaits_holdsThePositionBack_andAnotherTopicBeginsAnew() throws Exception {
    Batch batch = new Batch();
    for (int i = 0; i < 5; i++) {
      add(batch, window("s-" + i, 0, 0));
    }
    write(batch);
    execute("insert into weir_sink_waiting values ('" + TOPIC + "', 1, 7, 3, 0, null, null)");
    String positions =
        "select concat_ws(' ', kafka_partition, topic_generation, next_offset) from weir_positions";
    assertThat(strings(positions)).containsExactly("7 1 3");
    execute("truncate weir_sink_waiting");
    assertThat(strings(positions)).containsExactly("7 1 5");
    takeOver(Uuid.randomUuid());
    connection.commit();
    assertThat(strings(positions)).containsExactly("7 2 0");
  }

  private List<String> explained(String query) throws Exception {
    execute("set enable_seqscan = off");
    try {
      return strings("explain (costs off) " + query);
    } finally {
      execute("reset enable_seqscan");
    }
  }

  private static List<String> documented() throws IOException {
    String page = Files.readString(Path.of("docs/postgresql.md"));
    String from = page.substring(page.indexOf("CREATE TABLE seen"));
    return Stream.of(from.substring(0, from.indexOf("```")).split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /** Of REFRESH MATERIALIZED VIEW, pg_restore, or a dashboard. */
  @Test
  void aHistogramHasItsQuantiles_withAnotherSearchPath() throws Exception {
    execute("set search_path = ''");
    try {
      assertThat(
              strings(
                  "select public.weir_histogram_quantile('{\"scale\": 0, \"zero_count\": 1,"
                      + " \"positive\": {\"offset\": 0, \"counts\": []},"
                      + " \"negative\": {\"offset\": 0, \"counts\": []}}'::jsonb, 0.5)::text"))
          .containsExactly("0");
    } finally {
      connection.rollback();
      execute("reset search_path");
    }
  }
}

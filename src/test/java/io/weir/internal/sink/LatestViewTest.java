package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest windows, and what it costs to ask for them; {@code -Dweir.latest.sensors=10000} with
 * {@code -Dweir.latest.windows=250} for five million rows.
 */
@Timeout(600)
class LatestViewTest extends SinkTablesFixture {
  private static final Logger LOG = LoggerFactory.getLogger(LatestViewTest.class);

  private static final int SENSORS = Integer.getInteger("weir.latest.sensors", 100);
  private static final int WINDOWS_EACH = Integer.getInteger("weir.latest.windows", 800);

  /** Down from the root of the index to the row, and of the sensor's own row a part. */
  private static final int BUFFERS_A_SENSOR = 8;

  @Test
  void latest_costsAConstantNumberOfBuffersASensor_atAnyHistory() throws Exception {
    int today = (int) LocalDate.now(ZoneOffset.UTC).toEpochDay();
    new DayPartitions("weir_windows", Validation.NONE)
        .ensure(connection, Set.of(today - 1, today), today);
    execute("set statement_timeout = 0");
    connection.setNetworkTimeout(Runnable::run, 0);
    for (int windows : new int[] {WINDOWS_EACH / 100, WINDOWS_EACH}) {
      execute("truncate weir_windows, weir_sensors");
      insert(windows, "now()");
      insert(windows, "now() - interval '60 days'");
      execute(
          "insert into weir_sensors select sensor_id, max(date_trunc('day', window_start at"
              + " time zone 'UTC') at time zone 'UTC') from weir_windows group by 1");
      connection.setAutoCommit(true);
      try (Statement statement = connection.createStatement()) {
        statement.execute("vacuum analyze weir_windows, weir_sensors");
      }
      connection.setAutoCommit(false);

      explained(
          "select count(*), sum(count) from weir_latest"); // A dashboard asks again and again.
      JsonNode plan = explained("select count(*), sum(count) from weir_latest");

      long buffers =
          plan.at("/Plan/Shared Hit Blocks").asLong()
              + plan.at("/Plan/Shared Read Blocks").asLong();
      String what =
          "%d sensors, %d windows each: %d buffers, %s ms"
              .formatted(SENSORS, 2 * windows, buffers, plan.at("/Execution Time").asText());
      LOG.info("{}", what);
      assertThat(buffers).as(what).isBetween((long) SENSORS, (long) SENSORS * BUFFERS_A_SENSOR);
      assertThat(strings("select count(*)::text from weir_latest")).containsExactly("" + SENSORS);
      assertThat(strings("select distinct window_start::text from weir_latest"))
          .isEqualTo(strings("select max(window_start)::text from weir_windows"));
    }
  }

  private void insert(int windows, String until) throws Exception {
    execute(
        ("insert into weir_windows (sensor_id, window_start, window_end, count, sum, min, max,"
                + " bad_count, revision, close_reason, is_final, topic_generation, kafka_offset)"
                + " select 'plant/line-' || s || '/t', t, t + interval '10 s', 10, 1.5, 1, 2, 0, 1,"
                + " 'EVENT_TIME', true, 1, 1 from generate_series(1, %d) s,"
                + " generate_series(%s - %d * interval '10 s', %s, interval '10 s') t")
            .formatted(SENSORS, until, windows - 1, until));
  }

  private JsonNode explained(String query) throws Exception {
    String json =
        String.join("", strings("explain (analyze, timing off, buffers, format json) " + query));
    return new ObjectMapper().readTree(json).get(0);
  }

  @Test
  void aSensorWhoseClockIsWrong_hasItsNewestWindowAllTheSame() throws Exception {
    long nowMs = System.currentTimeMillis() / 10_000 * 10_000;
    for (long startMs : new long[] {nowMs + 900 * MS_A_DAY, nowMs - 20_000, 0, nowMs - 10_000}) {
      Batch batch = new Batch();
      add(batch, window("s", startMs, 1));
      add(batch, window("old", nowMs - 3 * MS_A_DAY, 1));
      write(batch);
    }
    assertThat(
            strings(
                "select sensor_id || ' ' || extract(epoch from window_start)::bigint from weir_latest"))
        .containsExactly("s " + (nowMs - 10_000) / 1_000);
  }
}

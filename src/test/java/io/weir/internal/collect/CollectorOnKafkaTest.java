package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.Reading;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The collector between a real PostgreSQL and a real Kafka. */
@Timeout(600)
class CollectorOnKafkaTest extends OutboxFixture {
  @Test
  void rows_becomeReadingsAndEvents_andTheOutboxIsEmptied() throws Exception {
    bed.start();
    bed.insert("boiler-1", 1_000, 21.5);
    bed.execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value, quality)"
            + " values ('boiler-1', 2000, 22.5, 3), ('Kessel-ü', 2000, '-0', 2)");
    bed.execute(
        "insert into weir_outbox (key, timestamp_ms, event) values ('account_1', 5000,"
            + " '{\"subject\": \"post_1\", \"type\": \"metrics\", \"fields\": {\"likes\": 1e2}}')");
    bed.execute(
        "insert into weir_outbox (key, event) values ('account_1',"
            + " '{\"id\": \"later\", \"due_ms\": 9000}')");
    bed.awaitAllSent();

    Arrived arrived = bed.arrived();
    assertThat(texts(arrived.readings()))
        .containsExactlyInAnyOrder(
            "boiler-1 1000 21.5 1", "boiler-1 2000 22.5 3", "Kessel-ü 2000 -0.0 2");
    assertThat(arrived.events())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getKey()).isEqualTo("account_1");
              assertThat(event.getSubject()).isEqualTo("post_1");
              assertThat(event.getTimestampMs()).isEqualTo(5000);
              assertThat(event.getFieldsMap().get("likes").getInt64Value()).isEqualTo(100);
            });
    assertThat(arrived.scheduled()).extracting(Event::getId).containsExactly("later");
    assertThat(bed.query("select count(*) from weir_outbox_rejects")).isZero();
  }

  @Test
  void transactionThatCommitsLater_isNotSkipped() throws Exception {
    bed.start();
    try (Connection first = bed.connect();
        Statement statement = first.createStatement()) {
      first.setAutoCommit(false);
      statement.execute(
          "insert into weir_outbox (sensor_id, timestamp_ms, value) values ('first', 1, 1)");
      bed.insert("second", 2, 2);
      bed.await("it is held back", () -> heldBackMs() > 0);
      assertThat(bed.arrived().readings()).isEmpty();
      assertThat(bed.collectors.get(0).describe()).contains("held back by the transaction of pid");

      first.commit();
    }
    bed.awaitAllSent();

    assertThat(texts(bed.arrived().readings()))
        .containsExactlyInAnyOrder("first 1 1.0 1", "second 2 2.0 1");
    bed.await("nothing is held back", () -> heldBackMs() == 0);
  }

  @Test
  void transactionsOfDifferentLength_areReadInTheirOrder() throws Exception {
    bed.with("collect.delete", "false");
    bed.execute(
        """
        insert into weir_outbox (xact, priority, sensor_id, timestamp_ms, value)
        select (x::text)::xid8, 0, 's', n, n
          from unnest(array[10, 9, 99, 100, 101, 8, 600]) with ordinality t(x, n)""");
    bed.start();
    bed.await("all are sent", () -> bed.arrived().readings().size() == 7);
    bed.insert("s", 8, 8);
    bed.await("one more", () -> bed.arrived().readings().size() == 8);

    assertThat(bed.arrived().readings())
        .extracting(Reading::getTimestampMs)
        .containsExactly(6L, 2L, 1L, 3L, 4L, 5L, 7L, 8L);
    assertThat(bed.query("select count(*) from weir_outbox")).isEqualTo(8);
  }

  @Test
  void rowsThatAreNoReading_areRejected_andOthersFlow() throws Exception {
    bed.start();
    List<String> wrong =
        List.of(
            "(sensor_id, timestamp_ms, value) values ('', 1, 1)",
            "(sensor_id, timestamp_ms, value) values (repeat('x', 257), 1, 1)",
            "(sensor_id, timestamp_ms, value) values (repeat('é', 129), 1, 1)",
            "(sensor_id, timestamp_ms, value) values (repeat('x', 3000000), 1, 1)",
            "(sensor_id, timestamp_ms, value) values ('s', 0, 1)",
            "(sensor_id, timestamp_ms, value) values ('s', 1, 'NaN')",
            "(sensor_id, timestamp_ms, value) values ('s', 1, '-Infinity')",
            "(sensor_id, timestamp_ms) values ('s', 1)",
            "(sensor_id, value) values ('s', 1)",
            "(sensor_id, timestamp_ms, value, quality) values ('s', 1, 1, 4)",
            "(timestamp_ms, value) values (1, 1)",
            "(sensor_id, timestamp_ms, value, key) values ('s', 1, 1, 'k')",
            "(key, timestamp_ms) values ('k', 1)",
            "(event, timestamp_ms) values ('{}', 1)",
            "(key, timestamp_ms, event) values ('k', 1, '[]')",
            "(key, timestamp_ms, event) values ('k', 1, '{\"fields\": {\"a\": 1e400}}')",
            "(key, timestamp_ms, event) values ('k', 1, '{\"fields\": {\"a\": {\"b\": 1}}}')",
            "(key, timestamp_ms, event) values ('k', 1, '{\"fields\": {\"a\": [1]}}')",
            "(key, timestamp_ms, event) values ('k', 1, '{\"key\": \"other\"}')",
            "(key, timestamp_ms, event) values ('k', 1, '{\"field\": {}}')",
            "(key, event) values ('k', '{\"fields\": {}}')",
            "(key, timestamp_ms, event) values (repeat('k', 257), 1, '{}')",
            "(key, timestamp_ms, event) select 'k', 1, jsonb_build_object('fields',"
                + " jsonb_build_object('a', repeat('x', 300000)))",
            "(key, timestamp_ms, event) select 'k', 1, jsonb_build_object('fields',"
                + " jsonb_build_object('a', repeat('x', 30000000)))");
    for (String row : wrong) {
      bed.execute("insert into weir_outbox " + row);
      bed.insert("good", 1, 1);
    }
    bed.awaitAllSent();

    assertThat(bed.query("select count(*) from weir_outbox_rejects")).isEqualTo(wrong.size());
    assertThat(bed.arrived().readings()).hasSize(wrong.size());
    assertThat(bed.arrived().events()).isEmpty();
  }

  @Test
  void highRow_goesBeforeABacklogOfLowOnes() throws Exception {
    bed.with("collect.batch.limit", "10");
    String low = besides("high");
    bed.execute(
        "insert into weir_outbox (priority, sensor_id, timestamp_ms, value)"
            + " select 2, '%s', n, n from generate_series(1, 500) n".formatted(low)
            + " union all select 0, 'high', n, n from generate_series(1, 20) n");
    bed.start();
    bed.awaitAllSent();

    List<String> order = bed.arrived().readings().stream().map(Reading::getSensorId).toList();
    assertThat(order).hasSize(520);
    // Batches of 10 rows: 9 high and 1 low, 9 and 1, 2 and 8.
    assertThat(order.subList(0, 22).stream().filter("high"::equals)).hasSize(20);
  }

  /** A sensor whose readings are in the same partition. */
  private static String besides(String sensor) {
    int number = 0;
    while (SensorPartition.of("low-" + number) != SensorPartition.of(sensor)) {
      number++;
    }
    return "low-" + number;
  }

  @Test
  void otherGateway_orARowThatIsMissing_endsItWithALine() throws Exception {
    bed.start();
    bed.insert("s", 1, 1);
    bed.awaitAllSent();
    bed.close();
    bed.collectors.clear();

    assertThat(why(bed.with("gateway.id", "other")))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .contains("weir_collector belongs to gateway db")
                    .contains("other"));
    bed.insert("s", 2, 2);
    assertThat(messageOf("delete from weir_collector")).contains("would be sent again");
    assertThat(messageOf("truncate weir_collector")).contains("would be sent again");
    bed.execute("update weir_collector set timeline = timeline - 1");
    assertThat(why(bed.with("gateway.id", "db")))
        .hasValueSatisfying(
            line -> assertThat(line).contains("promoted").contains("weir collect --rebase"));
    bed.execute("drop table weir_collector");
    assertThat(why(bed)).hasValueSatisfying(line -> assertThat(line).contains("--init"));
  }

  private Optional<String> why(OutboxBed of) throws Exception {
    Optional<String> reason = of.start().ended().get(1, TimeUnit.MINUTES);
    of.collectors.clear();
    return reason;
  }

  private String messageOf(String sql) {
    try {
      bed.execute(sql);
      return "";
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  private long heldBackMs() {
    return bed.collectors.get(0).heldBackMs("TRANSACTION");
  }

  private static Set<String> texts(List<Reading> readings) {
    Set<String> texts =
        readings.stream()
            .map(
                of ->
                    of.getSensorId()
                        + " "
                        + of.getTimestampMs()
                        + " "
                        + of.getValue()
                        + " "
                        + of.getQualityValue())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(texts).as("none twice").hasSameSizeAs(readings);
    return texts;
  }
}

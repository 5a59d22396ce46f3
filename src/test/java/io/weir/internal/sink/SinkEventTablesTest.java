package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.weir.Seeds;
import io.weir.internal.app.SinkSettings;
import io.weir.internal.postgres.Database;
import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.GroupSummary;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.Value;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SinkEventTablesTest {
  private static final String TOPIC = "t";
  private static final Uuid ID = Uuid.randomUuid();

  private static EmbeddedPostgres postgres;
  private static Connection connection;

  private final TableMapping entities = TableMapping.of(Topic.FOLDED);
  private final TableMapping groups = TableMapping.of(Topic.GROUPS);
  private final TableMapping statuses = TableMapping.of(Topic.STATUS);
  private long offset = 1;

  @BeforeAll
  static void start() throws SQLException {
    postgres = EmbeddedPostgres.start();
    SinkSettings settings =
        new SinkSettings(
            Optional.of(postgres.jdbcUrl()),
            Optional.empty(),
            Optional.empty(),
            List.of(Topic.FOLDED, Topic.GROUPS),
            5_000,
            Duration.ofMillis(500),
            Optional.empty(),
            Duration.ofDays(30));
    SinkSchema.init(settings);
    connection =
        new Database(SinkSchema.address(settings), Database.Limits.of(Duration.ofSeconds(10)))
            .open();
  }

  @AfterAll
  static void stop() throws SQLException {
    connection.close();
    postgres.close();
  }

  /** The naive model: of each key and field the value with the latest time, of these the last. */
  @Test
  void entity_holdsTheNewestOfEachField_inWhateverTransactionsTheyCome() {
    Seeds.forEach(
        5,
        random -> {
          clear();
          Map<String, Long> times = new TreeMap<>();
          Map<String, String> expected = new TreeMap<>();
          Batch batch = new Batch();
          for (int i = 0; i < 300; i++) {
            String key = "k" + random.nextInt(5);
            FoldedEvent.Builder fold =
                FoldedEvent.newBuilder().setKey(key).setType("t" + random.nextInt(3));
            for (int f = 0; f < 3; f++) {
              String field = "f" + random.nextInt(6);
              long timeMs = 1_000 + random.nextInt(40);
              fold.putFields(field, field(timeMs, Value.newBuilder().setInt64Value(i)));
            }
            fold.getFieldsMap()
                .forEach(
                    (name, field) -> {
                      String of = fold.getKey() + " " + fold.getType() + " " + name;
                      if (field.getLastTimestampMs() >= times.getOrDefault(of, 0L)) {
                        times.put(of, field.getLastTimestampMs());
                        expected.put(of, of + " " + field.getLast().getInt64Value());
                      }
                    });
            batch.add(entities, 1, record(fold.build()));
            if (random.nextInt(20) == 0) {
              write(batch);
            }
          }
          write(batch);

          assertThat(
                  strings(
                      "select key || ' ' || type || ' ' || field || ' ' || value from weir_entity"
                          + " order by 1"))
              .containsExactlyElementsOf(expected.values());
        });
  }

  @Test
  void doubles_areInAColumnOfTheirOwn_bitForBit() throws Exception {
    clear();
    Batch batch = new Batch();
    FoldedEvent.Builder fold = FoldedEvent.newBuilder().setKey("k");
    fold.putFields("a", field(1, Value.newBuilder().setDoubleValue(-0.0)));
    fold.putFields("b", field(1, Value.newBuilder().setDoubleValue(0.1)));
    fold.putFields("c", field(1, Value.newBuilder().setInt64Value(7)));
    batch.add(entities, 1, record(fold.build()));
    write(batch);

    assertThat(strings("select number::text from weir_entity order by field"))
        .containsExactly("-0", "0.1", null);
  }

  @Test
  void valuesOfEveryKind_areJson_andWhatJsonLacksIsARejectThatSparesItsNeighbours()
      throws Exception {
    clear();
    Batch batch = new Batch();
    batch.add(
        entities,
        1,
        record(
            FoldedEvent.newBuilder()
                .setKey("k")
                .putFields("a", field(1, Value.newBuilder().setDoubleValue(1.5)))
                .putFields("b", field(1, Value.newBuilder().setInt64Value(Long.MIN_VALUE)))
                .putFields("c", field(1, Value.newBuilder().setBoolValue(true)))
                .putFields("d", field(1, Value.newBuilder().setStringValue("ü \"\\\n\u0001")))
                .putFields(
                    "e", field(1, Value.newBuilder().setBytesValue(ByteString.copyFromUtf8("hi"))))
                .putFields("f", field(1, Value.newBuilder().setNullValue(true)))
                .putFields("g", field(1, Value.newBuilder().setDoubleValue(Double.NaN)))
                .build()));
    batch.add(
        entities,
        1,
        record(
            FoldedEvent.newBuilder()
                .setKey("l")
                .putFields("nul", field(1, Value.newBuilder().setStringValue("a\0b")))
                .putFields("good", field(1, Value.newBuilder().setInt64Value(7)))
                .build()));
    write(batch);

    assertThat(strings("select field || ' ' || value from weir_entity where key = 'k' order by 1"))
        .containsExactly(
            "a 1.5",
            "b -9223372036854775808",
            "c true",
            "d \"ü \\\"\\\\\\n\\u0001\"",
            "e \"aGk=\"",
            "f null");
    assertThat(strings("select field from weir_entity where key = 'l'")).containsExactly("good");
    assertThat(strings("select reason from weir_sink_rejects order by kafka_offset"))
        .containsExactly("NOT_JSON", "NUL_IN_TEXT");
  }

  @Test
  void groups_areTheirLatestSummaries() throws Exception {
    clear();
    Batch batch = new Batch();
    GroupSummary.Builder group =
        GroupSummary.newBuilder()
            .setGroup("plant-1")
            .setWindowEndMs(60_000)
            .setSensors(3)
            .setCount(5)
            .setSum(0.1)
            .setMin(-1)
            .setMax(Double.MIN_VALUE)
            .setMinSensorId("a")
            .setMaxSensorId("b");
    batch.add(groups, 1, record(group.build()));
    batch.add(groups, 1, record(group.setRevision(1).setSensors(4).build()));
    batch.add(groups, 1, record(GroupSummary.newBuilder().setGroup("empty").build()));
    write(batch);

    assertThat(
            strings(
                "select concat_ws(' ', group_name, sensors, count, sum, min, max, min_sensor_id,"
                    + " max_sensor_id, revision) from weir_groups order by 1"))
        .containsExactly("empty 0 0 0", "plant-1 4 5 0.1 -1 5e-324 a b 1");
  }

  /** The naive model: of each sensor the last record, and nothing after a tombstone. */
  @Test
  void status_isTheLastOfEachSensor_andNothingAfterATombstone_inWhateverTransactionsTheyCome() {
    Seeds.forEach(
        5,
        random -> {
          clear();
          Map<String, SensorStatus> expected = new TreeMap<>();
          Batch batch = new Batch();
          for (int i = 0; i < 300; i++) {
            String sensor = "s-ü" + random.nextInt(15);
            if (random.nextInt(4) == 0) {
              batch.add(statuses, 1, tombstone(sensor));
              expected.remove(sensor);
            } else {
              SensorStatus status = StatusTable.random(random, sensor);
              batch.add(statuses, 1, record(status));
              expected.put(sensor, status);
            }
            if (random.nextInt(12) == 0) {
              write(batch);
            }
          }
          write(batch);

          assertThat(StatusTable.read(connection)).isEqualTo(expected);
          assertThat(strings("select sensor_id from weir_silent order by 1"))
              .containsExactlyElementsOf(
                  expected.values().stream()
                      .filter(
                          status ->
                              status.getState() == SensorState.SENSOR_STATE_SILENT
                                  || status.getState() == SensorState.SENSOR_STATE_FINISHED)
                      .map(SensorStatus::getSensorId)
                      .toList());
        });
  }

  @Test
  void statusThatHasNoPlace_isAReject_andAnOlderOneNeverComesBack() throws Exception {
    clear();
    Batch batch = new Batch();
    SensorStatus.Builder status = StatusTable.random(new Random(1), "good").toBuilder();
    batch.add(statuses, 1, record(status.build()));
    batch.add(statuses, 1, record(status.setSensorId("nul\0").build()));
    batch.add(statuses, 1, record(status.setSensorId("far").setSinceMs(Long.MAX_VALUE).build()));
    batch.add(
        statuses,
        1,
        record(
            status
                .setSinceMs(1)
                .addAlarms(AlarmState.newBuilder().setRule("a\0b").setSinceMs(1))
                .build()));
    batch.add(statuses, 1, new ConsumerRecord<>(TOPIC, 0, offset++, null, null));
    batch.add(statuses, 1, new ConsumerRecord<>(TOPIC, 0, offset++, new byte[] {-1}, null));
    write(batch);

    assertThat(strings("select sensor_id from weir_status")).containsExactly("good");
    assertThat(strings("select reason from weir_sink_rejects order by kafka_offset"))
        .containsExactly(
            "NUL_IN_TEXT", "TIME_OUT_OF_RANGE", "NUL_IN_TEXT", "UNDECODABLE", "UNDECODABLE");

    long last = offset;
    offset = 0; // Read again from somewhere before.
    batch.add(statuses, 1, record(StatusTable.random(new Random(2), "good")));
    write(batch);
    offset = last;
    assertThat(strings("select kafka_offset::text from weir_status where state is not null"))
        .hasSize(1)
        .doesNotContain("0");
  }

  private ConsumerRecord<byte[], byte[]> tombstone(String sensorId) {
    return new ConsumerRecord<>(
        TOPIC, 0, offset++, sensorId.getBytes(StandardCharsets.UTF_8), null);
  }

  private static FoldedField field(long timeMs, Value.Builder last) {
    return FoldedField.newBuilder().setLast(last).setLastTimestampMs(timeMs).build();
  }

  private ConsumerRecord<byte[], byte[]> record(Message value) {
    return new ConsumerRecord<>(TOPIC, 0, offset++, null, value.toByteArray());
  }

  private static void write(Batch batch) throws Exception {
    if (!batch.isEmpty()) {
      PartitionOwnership ownership =
          OffsetTable.takeOver(connection, TOPIC, ID, Map.of(0, 0L)).get(0);
      new BatchWriter(connection).write(batch, List.of(ownership), () -> true);
      batch.clear();
    }
  }

  private static void clear() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "truncate weir_entity, weir_groups, weir_status, weir_sink_offsets, weir_sink_rejects");
      connection.commit();
    }
  }

  private static List<String> strings(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> strings = new ArrayList<>();
      while (result.next()) {
        strings.add(result.getString(1));
      }
      return strings;
    } finally {
      connection.commit();
    }
  }
}

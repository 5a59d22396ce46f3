package io.weir.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.internal.wire.Frame;
import io.weir.internal.wire.MessageIndexes;
import io.weir.lab.hostile.HostileOutput;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.v1.CloseReason;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;

class WindowConverterTest {
  private static final WindowSummary WINDOW =
      WindowSummary.newBuilder()
          .setSensorId("boiler-3/temperature")
          .setWindowStartMs(1_770_076_800_000L)
          .setWindowEndMs(1_770_076_810_000L)
          .setCount(2)
          .setSum(3)
          .setMin(1)
          .setMax(2)
          .setMean(1.5)
          .setBadCount(1)
          .setRevision(-1)
          .setCloseReason(CloseReason.CLOSE_REASON_AMENDED)
          .setFirstTimestampMs(0)
          .setFirst(0)
          .setHistogram(
              ExponentialHistogram.newBuilder()
                  .setScale(-1)
                  .setPositive(
                      ExponentialHistogram.Buckets.newBuilder().setOffset(-3).addCounts(2)))
          .build();

  @Test
  void summary_isAFlatStruct_bareAndFramed() {
    byte[] bare = WINDOW.toByteArray();
    byte[] framed = Frame.join(Frame.head(7, MessageIndexes.FIRST), bare);

    for (byte[] value : List.of(bare, framed)) {
      Struct row = (Struct) converter(Map.of()).toConnectData("t", value).value();
      row.validate();
      assertThat(row.get("sensor_id")).isEqualTo("boiler-3/temperature");
      assertThat(row.get("window_start")).isEqualTo(new Date(1_770_076_800_000L));
      assertThat(row.get("window_end")).isEqualTo(new Date(1_770_076_810_000L));
      assertThat(row.get("count")).isEqualTo(2L);
      assertThat(row.get("mean")).isEqualTo(1.5);
      assertThat(row.get("revision")).isEqualTo(4_294_967_295L);
      assertThat(row.get("close_reason")).isEqualTo("AMENDED");
      assertThat(row.get("is_final")).isEqualTo(false);
      assertThat(row.get("first")).isEqualTo(0.0);
      assertThat(row.get("first_timestamp")).isEqualTo(new Date(0));
      assertThat(row.get("last")).isNull();
      assertThat((Double) row.get("p50")).isBetween(1.0, 2.0);
    }
  }

  @Test
  void windowOfBadReadingsOnly_hasNulls() {
    WindowSummary bad = WindowSummary.newBuilder().setSensorId("a").setBadCount(2).build();

    Struct row = (Struct) converter(Map.of()).toConnectData("t", bad.toByteArray()).value();

    row.validate();
    assertThat(row.get("bad_count")).isEqualTo(2L);
    for (String name : List.of("sum", "min", "max", "mean", "p99", "first_timestamp")) {
      assertThat(row.get(name)).as(name).isNull();
    }
  }

  /** What Confluent's JDBC sink documents: no arrays, maps or structs. */
  @Test
  void schema_hasOnlyTypesThatTheJdbcSinkHas_andAVersion() {
    for (String histogram : List.of("false", "true")) {
      Schema schema =
          converter(Map.of("histogram", histogram))
              .toConnectData("t", WINDOW.toByteArray())
              .schema();
      assertThat(schema.version()).isEqualTo(1);
      assertThat(schema.fields())
          .allSatisfy(
              field ->
                  assertThat(field.schema().type())
                      .isIn(
                          Schema.Type.BOOLEAN,
                          Schema.Type.INT64,
                          Schema.Type.FLOAT64,
                          Schema.Type.STRING));
      assertThat(schema.field("window_start").schema().name()).isEqualTo(Timestamp.LOGICAL_NAME);
      assertThat(names(schema).contains("histogram")).isEqualTo(histogram.equals("true"));
    }
  }

  private static Set<String> names(Schema schema) {
    return schema.fields().stream().map(Field::name).collect(Collectors.toSet());
  }

  @Test
  void histogram_isAText_whereItIsAskedFor() {
    Struct row =
        (Struct)
            converter(Map.of("histogram", "true")).toConnectData("t", WINDOW.toByteArray()).value();

    assertThat(row.get("histogram"))
        .isEqualTo(
            "{\"scale\":-1,\"zero_count\":0,\"positive\":{\"offset\":-3,\"counts\":[2]},"
                + "\"negative\":{\"offset\":0,\"counts\":[]}}");
  }

  @Test
  void keyOfLatest_isAStructOfThreeFields() {
    WindowConverter keys = new WindowConverter();
    keys.configure(Map.of(), true);
    byte[] key = WindowKey.newBuilder().setSensorId("a").setWindowEndMs(10).build().toByteArray();

    SchemaAndValue found = keys.toConnectData("weir.latest", key);

    assertThat(names(found.schema()))
        .containsExactlyInAnyOrder("sensor_id", "window_start", "window_end");
    assertThat(((Struct) found.value()).get("window_end")).isEqualTo(new Date(10));
  }

  @Test
  void whatIsNoSummary_isRefused() {
    WindowConverter converter = converter(Map.of());
    assertThat(converter.toConnectData("t", null)).isEqualTo(SchemaAndValue.NULL);
    for (byte[] value : List.of(new byte[0], new byte[] {1, 2, 3}, new byte[] {0, 0})) {
      assertThatThrownBy(() -> converter.toConnectData("t", value))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("on t: ");
    }
    assertThatThrownBy(() -> converter.fromConnectData("t", null, null))
        .isInstanceOf(DataException.class);
  }

  /**
   * Rows of the table of forged records: a connector skips what is refused so, and nothing else.
   */
  @Test
  void forgedRecords_areStructs_orRefused() {
    int refused = 0;
    WindowConverter keys = new WindowConverter();
    keys.configure(Map.of(), true);
    for (HostileRow row : HostileTable.rows(Target.OUTPUT, 1)) {
      HostileOutput forged = HostileOutput.of(row, 1_700_000_000_000L);
      for (WindowConverter converter : List.of(converter(Map.of("histogram", "true")), keys)) {
        Throwable failure =
            catchThrowable(() -> converter.toConnectData(forged.topic(), forged.value()));
        refused += failure == null ? 0 : 1;
        if (failure != null) {
          assertThat(failure).as(row.toString()).isInstanceOf(DataException.class);
        }
      }
    }
    assertThat(refused).isPositive();
  }

  private static WindowConverter converter(Map<String, String> settings) {
    WindowConverter converter = new WindowConverter();
    converter.configure(settings, false);
    return converter;
  }
}

package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.SensorStatus;
import io.weir.v1.Value;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The tables of the sink that hold the state of something: sensors, and entities. Stateless. */
final class StateTables {
  private static final String STATUS =
      """
      select sensor_id, kafka_offset, topic_generation, state, %s, %s, gateway_id,
             (select string_agg(concat_ws('|', a.rule, a.level, a.active, a.since_ms,
                                          encode(float8send(a.value), 'hex'), a.priority),
                                ';' order by a.place)
                from rows from (jsonb_to_recordset(s.alarms)
                       as (rule text, level text, active boolean, since_ms bigint, value float8,
                           priority bigint))
                     with ordinality as a(rule, level, active, since_ms, value, priority, place))
        from weir_status s""";
  private static final String ENTITY =
      """
      select key || ' ' || type || ' ' || field, kafka_offset, topic_generation, %s, jsonb_typeof(value),
             case jsonb_typeof(value) when 'number' then trim_scale((value#>>'{}')::numeric)::text
                                      else value#>>'{}' end
        from weir_entity""";

  private StateTables() {}

  static TableOracle status() {
    return new TableOracle(
        Topic.STATUS,
        "weir_status",
        STATUS.formatted(TableOracle.millis("since"), TableOracle.millis("last_timestamp")),
        StateTables::status);
  }

  static TableOracle entities() {
    return new TableOracle(
        Topic.FOLDED,
        "weir_entity",
        ENTITY.formatted(TableOracle.millis("event_time")),
        StateTables::fold);
  }

  private static void status(ConsumerRecord<byte[], byte[]> record, ExpectedRows rows)
      throws InvalidProtocolBufferException {
    String sensor = new String(record.key(), StandardCharsets.UTF_8);
    if (sensor.indexOf('\0') >= 0) {
      rows.reject(record);
    } else if (record.value() == null) {
      rows.gone(sensor);
    } else {
      SensorStatus s = SensorStatus.parseFrom(record.value());
      rows.newest(
          sensor,
          0,
          record,
          RowPrint.of(
              s.getState().name().replace("SENSOR_STATE_", ""),
              s.getSinceMs(),
              s.getLastTimestampMs() == 0 ? null : s.getLastTimestampMs(),
              s.getGatewayId().isEmpty() ? null : s.getGatewayId(),
              s.getAlarmsCount() == 0
                  ? null
                  : s.getAlarmsList().stream()
                      .map(StateTables::alarm)
                      .collect(Collectors.joining(";"))));
    }
  }

  private static String alarm(AlarmState a) {
    return "%s|%s|%s|%d|%016x|%d"
        .formatted(
            a.getRule(),
            a.getLevel(),
            a.getActive() ? "t" : "f",
            a.getSinceMs(),
            Double.doubleToRawLongBits(a.getValue()),
            Integer.toUnsignedLong(a.getPriority()));
  }

  private static void fold(ConsumerRecord<byte[], byte[]> record, ExpectedRows rows)
      throws InvalidProtocolBufferException {
    FoldedEvent fold = FoldedEvent.parseFrom(record.value());
    for (Map.Entry<String, FoldedField> field : fold.getFieldsMap().entrySet()) {
      Value value = field.getValue().getLast();
      if (hasNoPlace(value)) {
        rows.reject(record);
        continue;
      }
      rows.newest(
          fold.getKey() + " " + fold.getType() + " " + field.getKey(),
          field.getValue().getLastTimestampMs(),
          record,
          RowPrint.of(field.getValue().getLastTimestampMs(), type(value), text(value)));
    }
  }

  private static boolean hasNoPlace(Value value) {
    return value.hasDoubleValue() && !Double.isFinite(value.getDoubleValue())
        || value.getStringValue().indexOf('\0') >= 0;
  }

  private static String type(Value value) {
    return switch (value.getKindCase()) {
      case DOUBLE_VALUE, INT64_VALUE -> "number";
      case BOOL_VALUE -> "boolean";
      case STRING_VALUE, BYTES_VALUE -> "string";
      case NULL_VALUE, KIND_NOT_SET -> "null";
    };
  }

  private static String text(Value value) {
    return switch (value.getKindCase()) {
      case DOUBLE_VALUE ->
          new BigDecimal(Double.toString(value.getDoubleValue()))
              .stripTrailingZeros()
              .toPlainString();
      case INT64_VALUE -> Long.toString(value.getInt64Value());
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case STRING_VALUE -> value.getStringValue();
      case BYTES_VALUE -> Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray());
      case NULL_VALUE, KIND_NOT_SET -> null;
    };
  }
}

package io.weir.internal.sink;

import io.weir.internal.sink.RejectedException.Reason;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.SensorStatus;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Maps the status of sensors, one row each; a tombstone deletes it. */
final class StatusMapping implements TableMapping {
  private static final Table TABLE =
      Table.ofStates(
          "weir_status",
          List.of("sensor_id", "state", "since", "last_timestamp", "gateway_id", "alarms"),
          "state");
  private static final long NEGATIVE_ZERO = Double.doubleToRawLongBits(-0.0);

  @Override
  public Topic topic() {
    return Topic.STATUS;
  }

  @Override
  public Table table() {
    return TABLE;
  }

  @Override
  public void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) throws RejectedException {
    RowEncoder row = rows.row();
    if (record.value() == null) {
      row.text(Checks.key("sensor_id", keyOf(record)));
      row.nothing(5);
    } else {
      known(Messages.decode(record, SensorStatus.getDefaultInstance()), row);
    }
    rows.end(0, 0);
  }

  private static void known(SensorStatus status, RowEncoder row) throws RejectedException {
    row.text(Checks.key("sensor_id", status.getSensorId()));
    row.text(Messages.name(status.getState(), status.getStateValue(), "SENSOR_STATE_"));
    row.timestamp(Checks.time("since_ms", status.getSinceMs()));
    if (status.getLastTimestampMs() == 0) {
      row.nothing();
    } else {
      row.timestamp(Checks.time("last_timestamp_ms", status.getLastTimestampMs()));
    }
    if (status.getGatewayId().isEmpty()) {
      row.nothing();
    } else {
      row.text(Checks.text("gateway_id", status.getGatewayId()));
    }
    if (status.getAlarmsCount() == 0) {
      row.nothing();
    } else {
      row.jsonb(json(status.getAlarmsList()));
    }
  }

  private static String keyOf(ConsumerRecord<byte[], byte[]> record) throws RejectedException {
    if (record.key() == null) {
      throw new RejectedException(Reason.UNDECODABLE, "the record has no key and no value");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(record.key())).toString();
    } catch (CharacterCodingException e) {
      throw new RejectedException(Reason.UNDECODABLE, "the key is not UTF-8");
    }
  }

  private static String json(List<AlarmState> alarms) throws RejectedException {
    StringBuilder json = new StringBuilder("[");
    for (AlarmState alarm : alarms) {
      json.append(json.length() == 1 ? "" : ",")
          .append("{\"rule\":")
          .append(Checks.json("rule", alarm.getRule()))
          .append(",\"level\":")
          .append(Checks.json("level", alarm.getLevel()))
          .append(",\"active\":")
          .append(alarm.getActive())
          .append(",\"since_ms\":")
          .append(Checks.time("since_ms of " + alarm.getRule(), alarm.getSinceMs()))
          .append(",\"value\":")
          .append(number(alarm.getValue()))
          .append(",\"priority\":")
          .append(Integer.toUnsignedLong(alarm.getPriority()))
          .append('}');
    }
    return json.append(']').toString();
  }

  /** Numbers that JSON or PostgreSQL's jsonb lacks are text; both forms cast to float8. */
  private static String number(double value) {
    boolean plain = Double.isFinite(value) && Double.doubleToRawLongBits(value) != NEGATIVE_ZERO;
    return plain ? Double.toString(value) : '"' + Double.toString(value) + '"';
  }
}

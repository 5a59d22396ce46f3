package io.weir.internal.sink;

import io.weir.internal.sink.RejectedException.Reason;
import io.weir.topic.Topic;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Value;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Folded events: a row for each field of a key and type, with the value of the event that was last
 * by event time; of folds that say the same time the later one counts. A field whose value has no
 * place is left out, and the record is a reject as well.
 */
final class EntityMapping implements TableMapping {
  private static final Table TABLE =
      new Table(
          "weir_entity",
          List.of("key", "type", "field", "value", "number", "event_time"),
          3,
          List.of("event_time", "topic_generation", "kafka_offset"),
          false,
          Optional.empty(),
          List.of());

  @Override
  public Topic topic() {
    return Topic.FOLDED;
  }

  @Override
  public Table table() {
    return TABLE;
  }

  @Override
  public void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) throws RejectedException {
    FoldedEvent fold = Messages.decode(record, FoldedEvent.getDefaultInstance());
    String key = Checks.key("key", fold.getKey());
    String type = Checks.text("type", fold.getType());
    for (Map.Entry<String, FoldedField> field : fold.getFieldsMap().entrySet()) {
      try {
        add(key, type, field.getKey(), field.getValue(), rows);
      } catch (RejectedException e) {
        rows.reject(e);
      }
    }
  }

  private static void add(String key, String type, String name, FoldedField field, RecordRows rows)
      throws RejectedException {
    Checks.key("key, type and field", key + type + name);
    long timeMs = Checks.time("last_timestamp_ms of " + name, field.getLastTimestampMs());
    String json = json(name, field.getLast());
    RowEncoder row = rows.row();
    row.text(key);
    row.text(type);
    row.text(name);
    row.jsonb(json);
    if (field.getLast().getKindCase() == Value.KindCase.DOUBLE_VALUE) {
      row.float8(field.getLast().getDoubleValue());
    } else {
      row.nothing();
    }
    row.timestamp(timeMs);
    rows.end(timeMs, timeMs);
  }

  private static String json(String name, Value value) throws RejectedException {
    return switch (value.getKindCase()) {
      case DOUBLE_VALUE -> number(name, value.getDoubleValue());
      case INT64_VALUE -> Long.toString(value.getInt64Value());
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case STRING_VALUE -> Checks.json("field " + name, value.getStringValue());
      case BYTES_VALUE ->
          '"' + Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()) + '"';
      case NULL_VALUE, KIND_NOT_SET -> "null";
    };
  }

  private static String number(String name, double value) throws RejectedException {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new RejectedException(
          Reason.NOT_JSON, "field " + name + " is " + value + ", which JSON does not have");
    }
    return Double.toString(value);
  }
}

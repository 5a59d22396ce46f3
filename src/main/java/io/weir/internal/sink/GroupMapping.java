package io.weir.internal.sink;

import io.weir.topic.Topic;
import io.weir.v1.GroupSummary;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Maps group summaries, one row each. */
final class GroupMapping implements TableMapping {
  private static final Table TABLE =
      Table.byOffset(
          "weir_groups",
          List.of(
              "group_name",
              "window_start",
              "window_end",
              "sensors",
              "count",
              "sum",
              "min",
              "max",
              "min_sensor_id",
              "max_sensor_id",
              "bad_count",
              "revision"),
          3,
          true);

  @Override
  public Topic topic() {
    return Topic.GROUPS;
  }

  @Override
  public Table table() {
    return TABLE;
  }

  @Override
  public void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) throws RejectedException {
    GroupSummary group = Messages.decode(record, GroupSummary.getDefaultInstance());
    RowEncoder row = rows.row();
    row.text(Checks.key("group", group.getGroup()));
    row.timestamp(Checks.time("window_start_ms", group.getWindowStartMs()));
    row.timestamp(Checks.time("window_end_ms", group.getWindowEndMs()));
    row.int8(Checks.count("sensors", group.getSensors()));
    row.int8(Checks.count("count", group.getCount()));
    if (group.getCount() == 0) {
      row.nothing(5);
    } else {
      row.float8(group.getSum());
      row.float8(group.getMin());
      row.float8(group.getMax());
      row.text(Checks.text("min_sensor_id", group.getMinSensorId()));
      row.text(Checks.text("max_sensor_id", group.getMaxSensorId()));
    }
    row.int8(Checks.count("bad_count", group.getBadCount()));
    row.int8(Integer.toUnsignedLong(group.getRevision()));
    rows.end(group.getWindowStartMs(), 0);
  }
}

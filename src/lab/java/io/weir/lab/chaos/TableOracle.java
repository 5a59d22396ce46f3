package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.Topic;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a table of the sink must hold of its topic, said again in plain SQL and with protobuf-java.
 *
 * @param topic that is written
 * @param table where it is
 * @param select each row's key as a text, offset and generation, and then its content
 * @param reader what a record says must be there
 */
record TableOracle(Topic topic, String table, String select, Reader reader) {
  /** Says what must come of a record. */
  interface Reader {
    void take(ConsumerRecord<byte[], byte[]> record, ExpectedRows rows)
        throws InvalidProtocolBufferException;
  }

  private static final String SUMMARY =
      """
      select sensor_id || ' ' || %2$s || ' ' || %3$s, kafka_offset, topic_generation,
             count, sum, min, max, bad_count, revision, close_reason, is_final, %4$s, first, %5$s,
             last, m2, histogram->>'scale', histogram->>'zero_count',
             histogram#>>'{positive,offset}', histogram#>>'{positive,counts}',
             histogram#>>'{negative,offset}', histogram#>>'{negative,counts}',
             integral, increase, resets, uncertain_count
        from %1$s""";
  private static final String GROUPS =
      """
      select group_name || ' ' || %s || ' ' || %s, kafka_offset, topic_generation,
             sensors, count, sum, min, max, min_sensor_id, max_sensor_id, bad_count, revision
        from weir_groups""";

  /** Those of summaries, of windows, rollups or hopping windows. */
  static TableOracle ofSummaries(Topic topic, String table) {
    String select =
        SUMMARY.formatted(
            table,
            millis("window_start"),
            millis("window_end"),
            millis("first_timestamp"),
            millis("last_timestamp"));
    return new TableOracle(topic, table, select, TableOracle::summary);
  }

  static TableOracle ofGroups() {
    return new TableOracle(
        Topic.GROUPS,
        "weir_groups",
        GROUPS.formatted(millis("window_start"), millis("window_end")),
        TableOracle::group);
  }

  /** A time as milliseconds since the Unix epoch. */
  static String millis(String column) {
    return "round(extract(epoch from " + column + ") * 1000)::bigint";
  }

  private static void summary(ConsumerRecord<byte[], byte[]> record, ExpectedRows rows)
      throws InvalidProtocolBufferException {
    WindowSummary w = WindowSummary.parseFrom(record.value());
    if (w.getSensorId().indexOf('\0') >= 0) {
      rows.reject(record);
      return;
    }
    var h = w.getHistogram();
    boolean none = w.getCount() == 0;
    boolean noHistogram = !w.hasHistogram();
    rows.newest(
        w.getSensorId() + " " + w.getWindowStartMs() + " " + w.getWindowEndMs(),
        0,
        record,
        RowPrint.of(
            w.getCount(),
            none ? null : w.getSum(),
            none ? null : w.getMin(),
            none ? null : w.getMax(),
            w.getBadCount(),
            Integer.toUnsignedLong(w.getRevision()),
            w.getCloseReason().name().replace("CLOSE_REASON_", ""),
            w.getIsFinal(),
            w.hasFirstTimestampMs() ? w.getFirstTimestampMs() : null,
            w.hasFirst() ? w.getFirst() : null,
            w.hasLastTimestampMs() ? w.getLastTimestampMs() : null,
            w.hasLast() ? w.getLast() : null,
            w.hasM2() ? w.getM2() : null,
            noHistogram ? null : h.getScale(),
            noHistogram ? null : h.getZeroCount(),
            noHistogram ? null : h.getPositive().getOffset(),
            noHistogram ? null : h.getPositive().getCountsList(),
            noHistogram ? null : h.getNegative().getOffset(),
            noHistogram ? null : h.getNegative().getCountsList(),
            w.hasIntegral() ? w.getIntegral() : null,
            w.hasIncrease() ? w.getIncrease() : null,
            w.hasResets() ? w.getResets() : null,
            w.hasUncertainCount() ? w.getUncertainCount() : null));
  }

  private static void group(ConsumerRecord<byte[], byte[]> record, ExpectedRows rows)
      throws InvalidProtocolBufferException {
    GroupSummary g = GroupSummary.parseFrom(record.value());
    if (List.of(g.getGroup(), g.getMinSensorId(), g.getMaxSensorId()).stream()
        .anyMatch(text -> text.indexOf('\0') >= 0)) {
      rows.reject(record);
      return;
    }
    boolean none = g.getCount() == 0;
    rows.newest(
        g.getGroup() + " " + g.getWindowStartMs() + " " + g.getWindowEndMs(),
        0,
        record,
        RowPrint.of(
            g.getSensors(),
            g.getCount(),
            none ? null : g.getSum(),
            none ? null : g.getMin(),
            none ? null : g.getMax(),
            none ? null : g.getMinSensorId(),
            none ? null : g.getMaxSensorId(),
            g.getBadCount(),
            Integer.toUnsignedLong(g.getRevision())));
  }
}

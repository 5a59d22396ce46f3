package io.weir.internal.sink;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.wire.BatchRows;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Late readings and dead letters: a row for each reading, or for a record that was refused as a
 * whole. The key is the record that it came with, the reason and the content: a copy after a reset
 * has the same.
 */
final class RefusedMapping implements TableMapping {
  private static final String TIME = "appended_at";
  private static final List<String> COLUMNS =
      List.of(
          "source_topic",
          "source_partition",
          "source_offset",
          "reason",
          "content",
          "sensor_id",
          "event_time",
          "value",
          "quality",
          "readings",
          "gateway_id",
          "application",
          "message",
          TIME);
  private static final int KEY_COLUMNS = 5;

  private final Topic topic;
  private final Table table;
  private final String readings;

  /**
   * @param readings name of the topic of readings; dead letters from others are not readings
   */
  RefusedMapping(String table, Topic topic, String readings) {
    this.topic = topic;
    this.table = Table.byOffset(table, COLUMNS, KEY_COLUMNS, false);
    this.readings = readings;
  }

  @Override
  public Topic topic() {
    return topic;
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public Optional<String> retainedBy() {
    return Optional.of(TIME);
  }

  @Override
  public void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) {
    String reason = text(record, DeadLetterHeaders.REASON).orElse("LATE");
    RejectReason.Scope scope = scope(reason);
    Optional<ReadingBatch> batch =
        scope == RejectReason.Scope.RECORD ? Optional.empty() : batch(record);
    List<Reading> each =
        batch
            .filter(any -> scope == RejectReason.Scope.READING)
            .map(BatchRows::of)
            .orElse(List.of());
    Map<byte[], Integer> equal = new TreeMap<>(Arrays::compare);
    for (Reading reading : each) {
      byte[] content = reading.toByteArray();
      int copy = equal.merge(content, 1, Integer::sum);
      RowEncoder row = begin(record, reason, copy, content, rows);
      row.text(clean(reading.getSensorId()));
      time(reading.getTimestampMs(), row);
      row.float8(reading.getValue());
      row.text(Messages.name(reading.getQuality(), reading.getQualityValue(), "QUALITY_"));
      end(record, Optional.of(1L), rows, row);
    }
    // Also of a series whose lengths differ.
    Optional<Long> others = batch.map(whole -> count(whole) - each.size());
    if (each.isEmpty() || others.get() > 0) {
      byte[] value = record.value() == null ? new byte[0] : record.value();
      RowEncoder row = begin(record, reason, 0, value, rows);
      row.nothing(4);
      end(record, others, rows, row);
    }
  }

  /** As a part of a batch by default: on weir.late, and of a reason of a newer version. */
  private static RejectReason.Scope scope(String reason) {
    try {
      return RejectReason.valueOf(reason).scope();
    } catch (IllegalArgumentException e) {
      return RejectReason.Scope.READING;
    }
  }

  private Optional<ReadingBatch> batch(ConsumerRecord<byte[], byte[]> record) {
    if (!text(record, DeadLetterHeaders.TOPIC).equals(Optional.of(readings))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Messages.decode(record, ReadingBatch.getDefaultInstance()));
    } catch (RejectedException e) {
      return Optional.empty(); // It was cut.
    }
  }

  private static long count(ReadingBatch batch) {
    return batch.getReadingsCount()
        + batch.getSeriesList().stream().mapToLong(Series::getValueCount).sum();
  }

  private static RowEncoder begin(
      ConsumerRecord<byte[], byte[]> record,
      String reason,
      int copy,
      byte[] content,
      RecordRows rows) {
    Optional<Long> partition = number(record, DeadLetterHeaders.PARTITION);
    Optional<Long> offset = number(record, DeadLetterHeaders.OFFSET);
    boolean known = partition.isPresent() && offset.isPresent();
    byte[] application =
        text(record, DeadLetterHeaders.APPLICATION).orElse("").getBytes(StandardCharsets.UTF_8);
    RowEncoder row = rows.row();
    row.text(text(record, DeadLetterHeaders.TOPIC).filter(any -> known).orElse(record.topic()));
    row.int4(known ? partition.get().intValue() : record.partition());
    row.int8(known ? offset.get() : record.offset());
    row.text(reason);
    row.uuid(
        UUID.nameUUIDFromBytes(
            ByteBuffer.allocate(content.length + Integer.BYTES + application.length)
                .put(content)
                .putInt(copy)
                .put(application)
                .array()));
    return row;
  }

  private static void end(
      ConsumerRecord<byte[], byte[]> record,
      Optional<Long> readings,
      RecordRows rows,
      RowEncoder row) {
    if (readings.isPresent()) {
      row.int8(readings.get());
    } else {
      row.nothing();
    }
    for (String name :
        List.of(
            DeadLetterHeaders.GATEWAY, DeadLetterHeaders.APPLICATION, DeadLetterHeaders.MESSAGE)) {
      text(record, name).ifPresentOrElse(row::text, row::nothing);
    }
    time(record.timestamp(), row);
    rows.end(0, 0);
  }

  private static void time(long ms, RowEncoder row) {
    try {
      row.timestamp(Checks.time("", ms));
    } catch (RejectedException e) {
      row.nothing();
    }
  }

  private static Optional<Long> number(ConsumerRecord<byte[], byte[]> record, String name) {
    return text(record, name).filter(text -> text.matches("[0-9]{1,18}")).map(Long::valueOf);
  }

  private static Optional<String> text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(clean(new String(header.value(), StandardCharsets.UTF_8)));
  }

  /** PostgreSQL has no U+0000. */
  private static String clean(String text) {
    return text.replace('\0', '\uFFFD');
  }
}

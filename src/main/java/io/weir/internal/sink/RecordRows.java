package io.weir.internal.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Collects the rows of records, one record after another. Not safe for several threads. */
final class RecordRows {
  private final Table table;
  private final RowEncoder encoder = new RowEncoder();
  private final List<TableRow> rows = new ArrayList<>();
  private RejectedException rejected;
  private ConsumerRecord<byte[], byte[]> record;
  private int generation;

  RecordRows(Table table) {
    this.table = table;
  }

  /** Begins a record. */
  void start(ConsumerRecord<byte[], byte[]> next, int topicGeneration) {
    rows.clear();
    rejected = null;
    record = next;
    generation = topicGeneration;
  }

  /** Begins a row; its columns are written in order, without those of the record. */
  RowEncoder row() {
    encoder.begin(table);
    return encoder;
  }

  /**
   * Ends a row.
   *
   * @param timeMs the time that determines its day
   * @param rank order of rows with one key in a partition: the largest is the newest, of equal ones
   *     the later
   */
  void end(long timeMs, long rank) {
    encoder.int4(record.partition());
    encoder.int4(generation);
    encoder.int8(record.offset());
    int day = table.byDay() ? (int) Math.floorDiv(timeMs, TimeUnit.DAYS.toMillis(1)) : 0;
    RowKey key = new RowKey(encoder.key());
    rows.add(new TableRow(record, generation, key, encoder.row(), day, rank));
  }

  /** A part of the record does not fit; its other rows are written. */
  void reject(RejectedException why) {
    rejected = why;
  }

  /** Why a part of the record does not fit; null if all of it fits. */
  RejectedException rejected() {
    return rejected;
  }

  /** The rows of the current record. */
  List<TableRow> rows() {
    return rows;
  }
}

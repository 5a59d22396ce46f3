package io.weir.internal.store;

import io.weir.internal.store.ChangeRecord.Column;
import java.util.Arrays;

/** Room for the parts of a record that is put together. */
final class ChangeColumns {
  /** A thread writes the records of its tasks one after another: they share the room. */
  private static final ThreadLocal<ChangeColumns> OF_THREAD =
      ThreadLocal.withInitial(ChangeColumns::new);

  private final ByteColumn[] columns = new ByteColumn[Column.values().length];
  private final ByteColumn deleted = new ByteColumn();
  private final ByteColumn deletedGateways = new ByteColumn();
  private final ByteColumn record = new ByteColumn();

  private ChangeColumns() {
    Arrays.setAll(columns, column -> new ByteColumn());
  }

  /** The calling thread's, empty: what it had is no longer there. */
  static ChangeColumns ofThread() {
    ChangeColumns room = OF_THREAD.get();
    room.record.clear();
    room.deleted.clear();
    room.deletedGateways.clear();
    for (ByteColumn column : room.columns) {
      column.clear();
    }
    return room;
  }

  /** One of the columns. */
  ByteColumn get(Column column) {
    return columns[column.ordinal()];
  }

  /** The sensors that were deleted. */
  ByteColumn deleted() {
    return deleted;
  }

  /** The gateways that were deleted. */
  ByteColumn deletedGateways() {
    return deletedGateways;
  }

  /** The record, which {@link #finish} ends. */
  ByteColumn record() {
    return record;
  }

  /** How many bytes the parts have. */
  int size() {
    int size = deleted.size() + deletedGateways.size();
    for (ByteColumn column : columns) {
      size += column.size();
    }
    return size;
  }

  /** The record, with the lengths of the columns and the columns at its end. */
  byte[] finish() {
    for (ByteColumn column : columns) {
      record.putVarint(column.size());
    }
    for (ByteColumn column : columns) {
      record.put(column.array(), 0, column.size());
    }
    return Arrays.copyOf(record.array(), record.size());
  }
}

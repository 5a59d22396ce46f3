package io.weir.edge;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.BatchEncoder;
import io.weir.internal.wire.BatchNanos;
import io.weir.reading.Reading;

/** A pending batch of readings. */
final class PendingReadings extends PendingBatch {
  private final BatchColumns columns = new BatchColumns();
  private final FoldIndex folds;
  private final int maxReadings;
  private final BatchEncoding encoding;

  PendingReadings(QueueSettings settings, BatchEncoding encoding) {
    super(settings.headerBytes(), settings.limits());
    this.folds = settings.folding() == Folding.OFF ? null : new FoldIndex();
    this.maxReadings = settings.limits().maxBatchReadings();
    this.encoding = encoding;
  }

  /** Whether a reading with an id of this size fits. */
  boolean hasRoomFor(int idBytes) {
    return hasRoom(BatchEncoder.mostBytesOfReading(idBytes));
  }

  /**
   * Adds a reading; an OutOfMemoryError leaves the batch unchanged.
   *
   * @param takes its cost in queue capacity
   */
  void add(
      Reading reading, int nanosOfMs, long digest, long takes, Acknowledgement acknowledgement) {
    makeRoomFor(acknowledgement);
    addToColumns(reading, nanosOfMs, IdDigest.hash(digest), IdDigest.bytes(digest));
    accepted(takes, acknowledgement);
  }

  private void addToColumns(Reading reading, int nanosOfMs, int hash, int idBytes) {
    int same = folds == null ? -1 : find(reading, hash);
    if (same >= 0) {
      columns.replace(same, reading.value(), reading.quality());
      return;
    }
    columns.add(
        reading.sensorId(), hash, reading.timestampMs(), reading.value(), reading.quality());
    columns.nanosOfLast(nanosOfMs);
    grows(BatchEncoder.mostBytesOfReading(idBytes));
    if (folds != null) {
      folds.remember(columns.size() - 1, hash, reading.timestampMs());
    }
  }

  private int find(Reading reading, int hash) {
    return folds.find(columns, reading.sensorId(), hash, reading.timestampMs());
  }

  @Override
  int size() {
    return columns.size();
  }

  @Override
  BatchCompleteness completeness(boolean ordered) {
    return ordered
        ? pendingCompleteness().attestedAndOrdered(columns, maxReadings - size(), bytesLeft())
        : pendingCompleteness().attested();
  }

  @Override
  byte[] encode(
      String gatewayId, long bootId, long sequence, BatchCompleteness saidOfCompleteness) {
    return encoding.encode(gatewayId, bootId, sequence, columns, saidOfCompleteness);
  }

  @Override
  byte[] nanos() {
    return BatchNanos.encode(columns);
  }

  @Override
  void clearContent() {
    columns.clear();
    if (folds != null) {
      folds.clear();
    }
  }
}

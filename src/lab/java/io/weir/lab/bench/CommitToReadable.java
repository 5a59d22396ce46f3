package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.collect.Collector;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Rows inserted at a steady rate, each in a transaction of its own: from the moment before its
 * COMMIT to where a consumer of committed records holds the reading. The value of a row is its
 * number. One thread.
 */
final class CommitToReadable {
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final BenchOutbox outbox;
  private final String bootstrapServers;
  private final int rows;
  private final long everyNanos;
  private final AtomicLongArray committedNanos;
  private final Latencies latencies;

  /**
   * @param rows how many; the first tenth is warm-up and not measured
   */
  CommitToReadable(BenchOutbox outbox, String bootstrapServers, int rows, int perSecond) {
    this.outbox = outbox;
    this.bootstrapServers = bootstrapServers;
    this.rows = rows;
    this.everyNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.committedNanos = new AtomicLongArray(rows);
    this.latencies = new Latencies(rows);
  }

  Figures measure() throws SQLException {
    try (CommittedRecords records =
            new CommittedRecords(
                bootstrapServers, outbox.topic(), record -> found(record.value()));
        Collector collector = outbox.collect()) {
      records.start();
      insertAll(collector);
      long endNanos = System.nanoTime() + STALL_NANOS;
      while (latencies.known() < rows) {
        records.requireHealthy();
        BenchOutbox.requireRunning(collector);
        if (System.nanoTime() - endNanos > 0) {
          throw new IllegalStateException(
              "of " + rows + " rows " + latencies.known() + " became readable");
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
    return latencies.figures(rows / 10);
  }

  private void insertAll(Collector collector) throws SQLException {
    try (Connection connection = outbox.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into weir_outbox (sensor_id, timestamp_ms, value) values (?, ?, ?)")) {
      connection.setAutoCommit(false);
      long startNanos = System.nanoTime();
      for (int row = 0; row < rows; row++) {
        long aheadNanos = startNanos + row * everyNanos - System.nanoTime();
        while (aheadNanos > 0) {
          LockSupport.parkNanos(aheadNanos);
          aheadNanos = startNanos + row * everyNanos - System.nanoTime();
        }
        BenchOutbox.requireRunning(collector);
        insert.setString(1, "sensor-" + row % 100);
        insert.setLong(2, System.currentTimeMillis());
        insert.setDouble(3, row);
        insert.executeUpdate();
        committedNanos.set(row, System.nanoTime());
        connection.commit();
      }
    }
  }

  private void found(byte[] value) throws InvalidProtocolBufferException {
    long nowNanos = System.nanoTime();
    for (Series series : ReadingBatch.parseFrom(value).getSeriesList()) {
      for (double number : series.getValueList()) {
        latencies.record((int) number, nowNanos - committedNanos.get((int) number));
      }
    }
  }
}

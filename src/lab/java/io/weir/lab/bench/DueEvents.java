package io.weir.lab.bench;

import io.weir.internal.event.EventColumns;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads events that came due as a user would, committed ones only, in a thread of its own: how late
 * each was there, and whether any was there before its time.
 */
final class DueEvents implements AutoCloseable {
  private static final Duration STALL = Duration.ofSeconds(90);

  private final long expected;
  private final long[] lateMs;
  private final CommittedRecords records;
  private final EventDecoder decoder = new EventDecoder(Limits.DEFAULT);
  private final CountDownLatch all = new CountDownLatch(1);
  private volatile int events;
  private long early;

  DueEvents(String bootstrapServers, String topic, long expected) {
    this.expected = expected;
    this.lateMs = new long[Math.toIntExact(expected)];
    this.records = new CommittedRecords(bootstrapServers, topic, this::found);
    records.start();
  }

  /** The record's own time is that of its append. */
  private void found(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    long nowMs = System.currentTimeMillis();
    EventColumns batch = decoder.decode(record.value());
    int now = events;
    for (int i = 0; i < batch.size(); i++) {
      if (now == lateMs.length) {
        throw new IllegalStateException("more than the " + expected + " events came due");
      }
      lateMs[now++] = nowMs - batch.dueMs(i);
      early += record.timestamp() < batch.dueMs(i) ? 1 : 0;
    }
    events = now;
    if (now == expected) {
      all.countDown();
    }
  }

  /**
   * Waits for the last one; what was measured.
   *
   * @throws IllegalStateException if one is missing
   */
  Figures end() {
    awaitAll();
    close();
    records.requireHealthy();
    if (events < expected) {
      throw new IllegalStateException("of " + expected + " events " + events + " came due");
    }
    Arrays.sort(lateMs);
    return Figures.of(
        Map.of(
            Figure.EARLY,
            (double) early,
            Figure.P50_MS,
            at(0.5),
            Figure.P99_MS,
            at(0.99),
            Figure.P999_MS,
            at(0.999)));
  }

  private double at(double share) {
    return lateMs[(int) Math.ceil(events * share) - 1];
  }

  private void awaitAll() {
    try {
      all.await(STALL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    records.close();
  }
}

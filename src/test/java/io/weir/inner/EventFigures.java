package io.weir.inner;

import io.weir.internal.event.EventColumns;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.Folds;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.event.Timers;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.FoldedEventEncoder;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.List;

/** Figures of the engine of events without a broker: pace of folding, memory and pace of timers. */
public final class EventFigures {
  private static final int KEYS = 100_000;
  private static final int TIMERS = 1_000_000;

  private EventFigures() {}

  public static void main(String[] args) throws Exception {
    timers();
    for (int round = 0; round < 5; round++) {
      folds();
    }
  }

  private static void timers() throws Exception {
    EventDecoder decoder = new EventDecoder(Limits.DEFAULT);
    long before = used();
    List<Timers> partitions = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      partitions.add(new Timers(TimerLimits.DEFAULT));
    }
    long beginNs = System.nanoTime();
    for (int n = 0; n < TIMERS; n += 1_000) {
      EventBatch.Builder batch = EventBatch.newBuilder();
      for (int i = n; i < n + 1_000; i++) {
        batch.addEvents(
            event(i % KEYS).toBuilder().setId("check-" + i).setDueMs(1 + (i * 7_919L) % TIMERS));
      }
      EventColumns columns = decoder.decode(batch.build().toByteArray());
      Timers timers = partitions.get(n / 1_000 % 64);
      for (int i = 0; i < columns.size(); i++) {
        timers.order(columns, i);
      }
      timers.written();
    }
    double seconds = (System.nanoTime() - beginNs) / 1e9;
    System.out.printf(
        "timers: %,d scheduled in %.1f s, %,d bytes each%n",
        TIMERS, seconds, (used() - before) / TIMERS);
    beginNs = System.nanoTime();
    long[] fired = {0};
    for (Timers timers : partitions) {
      timers.fire(TIMERS, TIMERS, (timer, dueMs, missed) -> fired[0]++, timer -> {});
    }
    seconds = (System.nanoTime() - beginNs) / 1e9;
    System.out.printf("timers: %,d fired in %.2f s%n", fired[0], seconds);
  }

  private static void folds() throws Exception {
    EventDecoder decoder = new EventDecoder(Limits.DEFAULT);
    List<byte[]> batches = new ArrayList<>();
    for (int n = 0; n < 500; n++) {
      EventBatch.Builder batch = EventBatch.newBuilder();
      for (int i = 0; i < 1_000; i++) {
        batch.addEvents(event((n * 1_000 + i) * 31 % KEYS));
      }
      batches.add(batch.build().toByteArray());
    }
    Folds folds = new Folds(FoldSpec.DEFAULT);
    long[] bytes = {0};
    Folds.Sink sink = (fold, reason) -> bytes[0] += FoldedEventEncoder.encode(fold, reason).length;
    long beginNs = System.nanoTime();
    long events = 0;
    for (int round = 0; round < 4; round++) {
      for (byte[] batch : batches) {
        EventColumns columns = decoder.decode(batch);
        long nowMs = events / 1_000;
        for (int i = 0; i < columns.size(); i++) {
          folds.add(columns, i, events / 1_000, nowMs, sink);
        }
        folds.endDue(nowMs, 10_000, sink);
        folds.written();
        events += columns.size();
      }
    }
    double seconds = (System.nanoTime() - beginNs) / 1e9;
    System.out.printf(
        "folds: %,d events in %.2f s, %.2f M/s on one thread%n",
        events, seconds, events / seconds / 1e6);
  }

  private static Event event(int key) {
    return Event.newBuilder()
        .setKey("account_" + key)
        .setSubject("post_" + key % 10)
        .setType("metrics")
        .setTimestampMs(1_700_000_000_000L + key)
        .putFields("likes", Value.newBuilder().setInt64Value(key).build())
        .putFields("shares", Value.newBuilder().setInt64Value(5).build())
        .build();
  }

  private static long used() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

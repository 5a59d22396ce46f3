package io.weir.lab.bench;

import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Adds up a batch, then merges each part into the store: one get and one put for each sensor and
 * window. Windows close by the time of the partition; as their keys begin with their start, those
 * that close are one range of the store.
 */
final class ExpertWindows implements Processor<byte[], byte[], byte[], byte[]> {
  static final String WINDOWS = "windows";
  static final String NEWEST = "newest";
  private static final Bytes NEWEST_KEY = Bytes.wrap(new byte[] {0});
  private static final int VALUE_BYTES = 4 * Long.BYTES;

  private final long delayMs;
  private final LongConsumer onCounted;
  private final LongConsumer onLate;
  private final BatchParts parts = new BatchParts();
  private final BatchScan<BatchParts.Sensor> scan = new BatchScan<>();
  private ProcessorContext<byte[], byte[]> context;
  private KeyValueStore<Bytes, byte[]> windows;
  private KeyValueStore<Bytes, byte[]> newest;
  private long newestMs;
  private long closedMs;

  ExpertWindows(long delayMs, LongConsumer onCounted, LongConsumer onLate) {
    this.delayMs = delayMs;
    this.onCounted = onCounted;
    this.onLate = onLate;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> of) {
    context = of;
    windows = of.getStateStore(WINDOWS);
    newest = of.getStateStore(NEWEST);
    byte[] kept = newest.get(NEWEST_KEY);
    newestMs = kept == null ? 0 : ByteBuffer.wrap(kept).getLong();
    closedMs = closableMs();
  }

  /** Windows that end up to then may be closed; 0 at first. */
  private long closableMs() {
    long passedMs = Math.max(0, newestMs - delayMs);
    return passedMs - passedMs % PlainPass.WINDOW_MS;
  }

  @Override
  public void process(Record<byte[], byte[]> batch) {
    parts.begin(closedMs);
    try {
      scan.addTo(parts, batch.value());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    parts.parts().forEach(this::merge);
    if (parts.newestMs() > newestMs) {
      newestMs = parts.newestMs();
      newest.put(NEWEST_KEY, ByteBuffer.allocate(Long.BYTES).putLong(newestMs).array());
      close(closableMs());
    }
    onCounted.accept(scan.counted());
    onLate.accept(scan.late());
  }

  private void merge(BatchParts.Part part) {
    Bytes key = key(part.startMs, part.id);
    byte[] kept = windows.get(key);
    long count = part.count;
    double sum = part.sum;
    double min = part.min;
    double max = part.max;
    if (kept != null) {
      ByteBuffer before = ByteBuffer.wrap(kept);
      count += before.getLong();
      sum += before.getDouble();
      min = Math.min(min, before.getDouble());
      max = Math.max(max, before.getDouble());
    }
    windows.put(
        key,
        ByteBuffer.allocate(VALUE_BYTES)
            .putLong(count)
            .putDouble(sum)
            .putDouble(min)
            .putDouble(max)
            .array());
  }

  private static Bytes key(long startMs, byte[] id) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES + id.length).putLong(startMs).put(id).array());
  }

  private void close(long upToMs) {
    if (upToMs <= closedMs) {
      return;
    }
    List<KeyValue<Bytes, byte[]>> due = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        windows.range(key(closedMs - PlainPass.WINDOW_MS), key(upToMs - PlainPass.WINDOW_MS + 1))) {
      range.forEachRemaining(due::add);
    }
    for (KeyValue<Bytes, byte[]> window : due) {
      emit(ByteBuffer.wrap(window.key.get()), ByteBuffer.wrap(window.value));
      windows.delete(window.key);
    }
    closedMs = upToMs;
  }

  /** Before all keys of windows that start then. */
  private static Bytes key(long startMs) {
    return key(Math.max(0, startMs), new byte[0]);
  }

  private void emit(ByteBuffer key, ByteBuffer value) {
    long startMs = key.getLong();
    byte[] id = new byte[key.remaining()];
    key.get(id);
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(new String(id, StandardCharsets.UTF_8))
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + PlainPass.WINDOW_MS)
            .setCount(value.getLong())
            .setSum(value.getDouble())
            .setMin(value.getDouble())
            .setMax(value.getDouble())
            .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
            .build();
    context.forward(new Record<>(id, summary.toByteArray(), startMs + PlainPass.WINDOW_MS));
  }
}

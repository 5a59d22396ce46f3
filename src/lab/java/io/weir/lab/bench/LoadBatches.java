package io.weir.lab.bench;

import io.weir.internal.wire.BatchColumns;
import io.weir.reading.Fnv1a;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The batches of a load, one after the other and always the same: rounds over all partitions, in
 * each a few readings of every sensor. Sensors begin at different places of a window, so that
 * windows close all the time and not all at once. One thread.
 */
final class LoadBatches {
  static final String GATEWAY = "bench-gateway";
  private static final long PHASES_MS = 10_000;
  private static final int VALUES = 4096;

  private final Load load;
  private final long startMs;
  private final LoadForm.BatchWriter writer;
  private final List<List<String>> sensors = new ArrayList<>();
  private final long[] sequences = new long[SensorPartition.COUNT];
  private final double[] values = new double[VALUES];
  private final BatchColumns columns = new BatchColumns();
  private long written;

  /** Takes a batch. */
  interface Sink {
    void accept(int partition, byte[] batch, int readings);
  }

  /**
   * @param startMs event time of the first readings
   */
  LoadBatches(Load load, long startMs) {
    this.load = load;
    this.startMs = startMs;
    this.writer = load.form().writer();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      sensors.add(new ArrayList<>());
    }
    for (int i = 0; i < load.shape().sensors(); i++) {
      String id = String.format("sensor-%07d", i);
      sensors.get(SensorPartition.of(id)).add(id);
    }
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < VALUES; i++) {
      values[i] = (2000 + random.nextInt(500)) / 100.0;
    }
  }

  /** Writes all of them. */
  void writeTo(Sink sink) {
    for (long round = 0; written < load.readings(); round++) {
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        writeRound(partition, round, sink);
      }
    }
  }

  private void writeRound(int partition, long round, Sink sink) {
    List<String> ids = sensors.get(partition);
    int step = load.shape().sensorsPerBatch();
    for (int from = 0; from < ids.size() && written < load.readings(); from += step) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + step));
      fill(some, round);
      byte[] batch = writer.write(GATEWAY, 1, ++sequences[partition], columns);
      sink.accept(partition, batch, columns.size());
      written += columns.size();
    }
  }

  private void fill(List<String> ids, long round) {
    int each = load.shape().readingsPerSensorAndBatch();
    columns.clear();
    for (int reading = 0; reading < each; reading++) {
      long atMs = startMs + (round * each + reading) * load.shape().intervalMs();
      for (String id : ids) {
        int hash = Fnv1a.hash(id);
        long phaseMs = Integer.toUnsignedLong(hash) % PHASES_MS;
        double value = values[(int) (hash + round * 7 + reading) & (VALUES - 1)];
        columns.add(id, hash, atMs + phaseMs, value, Quality.GOOD);
      }
    }
  }
}

package io.weir.lab.bench;

import io.weir.internal.wire.BatchColumns;
import io.weir.reading.Fnv1a;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Batches as a load's partition 0 has them, all of one size, for measuring without a topic. */
public final class LoadSample {
  /** Readings in each batch. */
  public static final int READINGS = 900;

  private LoadSample() {}

  /** Ids of the sensors that a load has in partition 0. */
  public static List<String> sensors(LoadShape shape) {
    return IntStream.range(0, shape.sensors())
        .mapToObj(number -> "sensor-" + String.valueOf(10_000_000 + number).substring(1))
        .filter(id -> SensorPartition.of(id) == 0)
        .toList();
  }

  /** Values of records: rounds over the sensors, so many batches. */
  public static List<byte[]> batches(LoadShape shape, LoadForm form, int count, long startMs) {
    int each = shape.readingsPerSensorAndBatch();
    int step = READINGS / each;
    List<String> sensors = sensors(shape);
    int perRound = sensors.size() / step;
    SplittableRandom random = new SplittableRandom(42);
    LoadForm.BatchWriter writer = form.writer();
    BatchColumns columns = new BatchColumns();
    List<byte[]> batches = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      int first = number % perRound * step;
      columns.clear();
      for (int reading = 0; reading < each; reading++) {
        long atMs = startMs + ((long) (number / perRound) * each + reading) * shape.intervalMs();
        for (String id : sensors.subList(first, first + step)) {
          double value = (2000 + random.nextInt(500)) / 100.0;
          columns.add(id, Fnv1a.hash(id), atMs, value, Quality.GOOD);
        }
      }
      batches.add(writer.write(LoadBatches.GATEWAY, 1, number + 1, columns));
    }
    return batches;
  }
}

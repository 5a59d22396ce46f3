package io.weir.internal.topology;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.EventBatch;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches for tests, written with the generated messages and with nothing of the code under test.
 */
final class Batches {
  private Batches() {}

  /** The i-th sensor id that belongs to partition 0, where a test driver's task is. */
  static String sensor(int i) {
    List<String> found = new ArrayList<>();
    for (int n = 0; found.size() <= i; n++) {
      if (SensorPartition.of("sensor-" + n) == 0) {
        found.add("sensor-" + n);
      }
    }
    return found.get(i);
  }

  static Reading reading(String sensor, long timestampMs, double value) {
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(timestampMs)
        .setValue(value)
        .build();
  }

  static Reading bad(String sensor, long timestampMs, double value) {
    return reading(sensor, timestampMs, value).toBuilder().setQuality(Quality.QUALITY_BAD).build();
  }

  /** An unsequenced batch in row form. */
  static ReadingBatch batch(Reading... readings) {
    return ReadingBatch.newBuilder().addAllReadings(List.of(readings)).build();
  }

  static ReadingBatch sequenced(String gateway, long bootId, long sequence, Reading... readings) {
    return batch(readings).toBuilder()
        .setGatewayId(gateway)
        .setBootId(bootId)
        .setSequence(sequence)
        .build();
  }

  /** The batch, which says too that a sensor is complete through a time. */
  static ReadingBatch complete(ReadingBatch batch, String sensor, long throughMs) {
    return batch.toBuilder()
        .addComplete(Completeness.newBuilder().setSensorId(sensor).setThroughMs(throughMs))
        .build();
  }

  /** The batch, which says too that its sensors report in the order of time. */
  static ReadingBatch ordered(ReadingBatch batch) {
    return batch.toBuilder().setOrdered(true).build();
  }

  static Series series(String sensor, long startMs, long[] deltas, double... values) {
    Series.Builder series = Series.newBuilder().setSensorId(sensor).setStartTimestampMs(startMs);
    for (long delta : deltas) {
      series.addTimestampDeltaMs(delta);
    }
    for (double value : values) {
      series.addValue(value);
    }
    return series.build();
  }

  /** A batch of events. */
  static EventBatch parsed(byte[] value) {
    try {
      return EventBatch.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The windows of all readings of a topic as one plain pass over it finds them: no reading is late.
 * The committed windows of a subject are compared with them. For one thread.
 */
final class PlainPass {
  static final long WINDOW_MS = 10_000;
  private static final Duration POLL = Duration.ofMillis(200);

  /** What a window has. */
  static final class Window {
    final long startMs;
    long count;
    double sum;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;

    /** Readings of it that were committed; -1 while it was not. */
    long committed = -1;

    private Window(long startMs) {
      this.startMs = startMs;
    }

    private void add(double value) {
      count++;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }

  /** A sensor with its windows. */
  static final class Sensor {
    final int partition;
    final List<Window> windows = new ArrayList<>(2);
    long newestMs = Long.MIN_VALUE;

    private Sensor(int partition) {
      this.partition = partition;
    }

    /** The window that begins so, or null. */
    Window window(long startMs) {
      // The newest ones are asked for most.
      for (int i = windows.size() - 1; i >= 0; i--) {
        if (windows.get(i).startMs == startMs) {
          return windows.get(i);
        }
      }
      return null;
    }
  }

  private final Map<String, Sensor> sensors = new HashMap<>();
  private final long[] newestMs;

  /**
   * @param partitions of the topic
   */
  PlainPass(int partitions) {
    newestMs = new long[partitions];
    Arrays.fill(newestMs, Long.MIN_VALUE);
  }

  /** Reads a topic to its end as it is now. */
  static PlainPass over(String bootstrapServers, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = CommittedConsumer.of(bootstrapServers, topic)) {
      PlainPass pass = new PlainPass(consumer.assignment().size());
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          pass.add(record.partition(), ReadingBatch.parseFrom(record.value()));
        }
      }
      return pass;
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(topic + " cannot be read", e);
    }
  }

  void add(int partition, ReadingBatch batch) {
    for (Reading reading : batch.getReadingsList()) {
      if (reading.getQuality() != Quality.QUALITY_BAD) {
        add(partition, reading.getSensorId(), reading.getTimestampMs(), reading.getValue());
      }
    }
    for (Series series : batch.getSeriesList()) {
      long ms = series.getStartTimestampMs();
      boolean graded = series.getQualityCount() > 0;
      for (int i = 0; i < series.getValueCount(); i++) {
        ms += series.getTimestampDeltaMs(i);
        if (!graded || series.getQuality(i) != Quality.QUALITY_BAD) {
          add(partition, series.getSensorId(), ms, series.getValue(i));
        }
      }
    }
  }

  private void add(int partition, String sensorId, long ms, double value) {
    Sensor sensor = sensors.computeIfAbsent(sensorId, id -> new Sensor(partition));
    long startMs = ms - Math.floorMod(ms, WINDOW_MS);
    Window window = sensor.window(startMs);
    if (window == null) {
      window = new Window(startMs);
      sensor.windows.add(window);
    }
    window.add(value);
    sensor.newestMs = Math.max(sensor.newestMs, ms);
    newestMs[partition] = Math.max(newestMs[partition], ms);
  }

  /** By id. */
  Map<String, Sensor> sensors() {
    return sensors;
  }

  /** Time of the newest reading of a partition. */
  long newestMs(int partition) {
    return newestMs[partition];
  }

  /** That of the partition that is furthest behind. */
  long newestOfAllMs() {
    return Arrays.stream(newestMs).min().orElseThrow();
  }
}

package io.weir.dev.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.app.Keys;
import io.weir.topic.SensorPartition;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a fleet's windows as they become readable, and knows how long each took from the moment at
 * which the reading that closes it was due.
 */
final class FleetWindows implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long GRACE_MS = Keys.WINDOW_GRACE.defaultValue().orElseThrow().toMillis();

  private final Fleet fleet;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread reading = new Thread(this::readAll, "windows");
  private final long startMs;
  private long[] delaysMs = new long[1 << 16];
  private int delays;
  private long windows;
  private volatile boolean closed;
  private volatile RuntimeException failure;

  FleetWindows(Fleet fleet, String bootstrapServers, String topic, long startMs) {
    this.fleet = fleet;
    this.startMs = startMs;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    reading.setDaemon(true);
    reading.start();
  }

  private void readAll() {
    try (consumer) {
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          found(WindowSummary.parseFrom(record.value()), System.currentTimeMillis());
        }
      }
    } catch (InvalidProtocolBufferException e) {
      failure = new IllegalStateException(e);
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void found(WindowSummary window, long nowMs) {
    windows++;
    boolean byTime = window.getCloseReason() == CloseReason.CLOSE_REASON_EVENT_TIME;
    if (!byTime || !fleet.isNeighbour(window.getSensorId())) {
      return;
    }
    int sensor = Fleet.sensorOf(window.getSensorId());
    long closingMs = fleet.nextMomentMs(sensor, window.getWindowEndMs() + GRACE_MS - startMs);
    if (closingMs >= fleet.warmUp().toMillis()) {
      if (delays == delaysMs.length) {
        delaysMs = Arrays.copyOf(delaysMs, 2 * delays);
      }
      delaysMs[delays++] = nowMs - startMs - closingMs;
    }
  }

  /** Ends the reading; what it measured. */
  Figures end() {
    close();
    if (failure != null) {
      throw failure;
    }
    Figures figures = Figures.of(Map.of(Figure.WINDOWS, (double) windows));
    if (delays == 0) {
      return figures;
    }
    Arrays.sort(delaysMs, 0, delays);
    return figures
        .with(Figure.P50_MS, delaysMs[(delays - 1) / 2])
        .with(Figure.P99_MS, delaysMs[(int) Math.ceil(delays * 0.99) - 1])
        .with(Figure.P999_MS, delaysMs[(int) Math.ceil(delays * 0.999) - 1]);
  }

  @Override
  public void close() {
    closed = true;
    try {
      reading.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

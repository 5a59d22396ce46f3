package io.weir.dev.bench;

import io.weir.app.StreamsApplication;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.dev.TemporaryDirectory;
import io.weir.ops.Meters;
import io.weir.reading.Fnv1a;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import io.weir.wire.BatchColumns;
import io.weir.wire.BatchEncoder;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Weir under a light load: the time from sending a reading that closes a window to the moment a
 * reader of committed records holds the summary. Each reading of a sensor closes the window of the
 * one before it; they come at random moments, so that they meet every phase of the commit interval.
 */
final class CloseLatency extends LatencyWork {
  private static final long STEP_MS = 20_000;
  private static final int MOST_PAUSE_MS = 50;
  private static final Duration BACK = Duration.ofDays(2);

  private final int probes;
  private final long eventMs = System.currentTimeMillis() - BACK.toMillis();
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final TopicNames names;
  private final WeirConfig config;
  private final Map<Long, Long> sentNanos = new ConcurrentHashMap<>();
  private final CommittedWindows windows;
  private final Thread sending = new Thread(this::sendAll, "sending");
  private StreamsApplication application;
  private volatile boolean closed;
  private volatile RuntimeException failure;

  CloseLatency(Task task) {
    super(task);
    this.probes = Math.toIntExact(task.readings());
    this.names = RunTopics.of(task.run(), task.run() + ".readings");
    this.windows = new CommittedWindows(task.bootstrapServers(), names.windows(), this::found);
    this.config =
        WeirConfig.of(
            new Properties(),
            RunTopics.kafkaVariables(),
            RunTopics.options(task, names, directory.path()));
    try (Admin admin = Admin.create(config.kafka().forAdmin())) {
      new TopicAdmin(admin, names).createMissing();
    }
  }

  @Override
  public void start() {
    application =
        WeirApplication.start(
            config, new Meters(new io.micrometer.core.instrument.simple.SimpleMeterRegistry()));
    windows.start();
    sending.start();
  }

  /** A probe's number is that of the window it closes. */
  private void sendAll() {
    SplittableRandom random = new SplittableRandom(42);
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers(),
            ProducerConfig.LINGER_MS_CONFIG, 0,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long number = -1; number < probes && !closed; number++) {
        send(producer, number);
        LockSupport.parkNanos(Duration.ofMillis(1 + random.nextInt(MOST_PAUSE_MS)).toNanos());
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, long number) {
    String sensor = "sensor-1";
    BatchColumns columns = new BatchColumns();
    columns.add(sensor, Fnv1a.hash(sensor), eventOf(number + 1), 1, Quality.GOOD);
    byte[] batch = new BatchEncoder().encode("", 0, 0, columns);
    sentNanos.put(number, System.nanoTime());
    producer.send(
        new ProducerRecord<>(names.readings(), SensorPartition.of(sensor), null, batch),
        (metadata, e) -> {
          if (e != null) {
            failure = new IllegalStateException("a probe was not sent", e);
          }
        });
  }

  private long eventOf(long window) {
    return Math.floorDiv(eventMs, STEP_MS) * STEP_MS + window * STEP_MS;
  }

  private void found(WindowSummary summary) {
    long nowNanos = System.nanoTime();
    long number = (summary.getWindowStartMs() - eventOf(0)) / STEP_MS;
    Long from = sentNanos.remove(number);
    if (from != null) {
      latencies.record((int) number, nowNanos - from);
    }
  }

  @Override
  protected void requireHealthy() {
    if (failure != null) {
      throw failure;
    }
    windows.requireHealthy();
  }

  @Override
  public void close() {
    closed = true;
    try (directory) {
      if (application != null) {
        sending.join();
        windows.close();
        application.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.weir.lab.bench;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Fnv1a;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Map;
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
final class CloseLatency extends WeirLatency {
  private static final long STEP_MS = 20_000;
  private static final int MOST_PAUSE_MS = 50;
  private static final Duration BACK = Duration.ofDays(2);

  private final int probes;
  private final long eventMs = System.currentTimeMillis() - BACK.toMillis();
  private final Map<Long, Long> sentNanos = new ConcurrentHashMap<>();

  CloseLatency(Task task) {
    super(task, task.run() + ".readings");
    this.probes = Math.toIntExact(task.readings());
    try (Admin admin = Admin.create(config.kafka().forAdmin())) {
      new TopicAdmin(admin, names).createMissing();
    }
  }

  /** A probe's number is that of the window it closes. */
  @Override
  protected void sendAll() {
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

  @Override
  protected void found(WindowSummary summary) {
    long nowNanos = System.nanoTime();
    long number = (summary.getWindowStartMs() - eventOf(0)) / STEP_MS;
    Long from = sentNanos.remove(number);
    if (from != null) {
      latencies.record((int) number, nowNanos - from);
    }
  }
}

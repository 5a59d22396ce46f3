package io.weir.lab.bench;

import io.weir.edge.Compression;
import io.weir.edge.PublisherSettings;
import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The gateways of a fleet: each offers its sensors' readings when they are due, with that moment as
 * their time. One that cannot offer waits; what is due meanwhile comes afterwards.
 */
final class FleetLoad implements AutoCloseable {
  private static final long FULL_PAUSE_NANOS = 1_000_000;

  /** A sensor's batches go one after the other: large ones carry more in as many round trips. */
  private static final int HOT_BATCH_READINGS = 10_000;

  private final Fleet fleet;
  private final Compression compression;
  private final long startMs;
  private final List<FleetGateway> publishers = new ArrayList<>();
  private final List<Thread> gateways = new ArrayList<>();
  private volatile boolean closed;

  /**
   * @param compression of its gateways
   * @param startMs when the fleet starts, as the wall clock has it
   */
  FleetLoad(
      Fleet fleet, Compression compression, String bootstrapServers, String topic, long startMs) {
    this.fleet = fleet;
    this.compression = compression;
    this.startMs = startMs;
    for (int gateway = 0; gateway < fleet.gateways(); gateway++) {
      publishers.add(gateway("gateway-" + gateway, bootstrapServers, topic));
      int number = gateway;
      Thread thread = new Thread(() -> speak(number), "gateway-" + gateway);
      thread.setDaemon(true);
      gateways.add(thread);
    }
    if (fleet.hotPerSecond() > 0) {
      FleetGateway hot =
          FleetGateway.publishing(
              PublisherSettings.builder("gateway-hot")
                  .bootstrapServers(bootstrapServers)
                  .topic(topic)
                  .compression(compression)
                  .batchMaxReadings(HOT_BATCH_READINGS)
                  .build());
      publishers.add(hot);
      Thread thread = new Thread(() -> speakHot(hot), "gateway-hot");
      thread.setDaemon(true);
      gateways.add(thread);
    }
    gateways.forEach(Thread::start);
  }

  private FleetGateway gateway(String id, String bootstrapServers, String topic) {
    if (fleet.form() == LoadForm.ROW) {
      Map<String, Object> settings = LoadGenerator.settings(bootstrapServers, compression);
      settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
      return new RowGateway(
          id, topic, fleet.flushInterval().toNanos(), new KafkaProducer<>(settings));
    }
    return FleetGateway.publishing(
        PublisherSettings.builder(id)
            .bootstrapServers(bootstrapServers)
            .topic(topic)
            .flushInterval(fleet.flushInterval())
            .compression(compression)
            .build());
  }

  private void speak(int gateway) {
    FleetGateway its = publishers.get(gateway);
    long lookMs = Math.max(1, fleet.flushInterval().toMillis());
    SplittableRandom random = new SplittableRandom(gateway);
    for (long round = 0; round < fleet.rounds(); round++) {
      for (int sensor = gateway; sensor < fleet.sensors(); sensor += fleet.gateways()) {
        long dueMs = startMs + fleet.momentMs(sensor, round);
        for (long waitMs = waitMs(dueMs); waitMs > 0 && !closed; waitMs = waitMs(dueMs)) {
          LockSupport.parkNanos(Math.min(waitMs, lookMs) * 1_000_000);
          its.look();
        }
        double value = (2000 + random.nextInt(500)) / 100.0;
        Reading reading = new Reading(Fleet.idOf(sensor), dueMs, value);
        offer(its, reading);
      }
    }
    its.flush();
  }

  /** One sensor: in each millisecond as many readings as are due in it. */
  private void speakHot(FleetGateway publisher) {
    long all = fleet.hotReadings();
    for (long reading = 0; reading < all; reading++) {
      long dueMs = startMs + reading * 1000 / fleet.hotPerSecond();
      for (long waitMs = waitMs(dueMs); waitMs > 0 && !closed; waitMs = waitMs(dueMs)) {
        LockSupport.parkNanos(waitMs * 1_000_000);
      }
      offer(publisher, new Reading(Fleet.HOT_ID, dueMs, reading % 100));
    }
  }

  private void offer(FleetGateway publisher, Reading reading) {
    while (!closed && !publisher.offer(reading)) {
      LockSupport.parkNanos(FULL_PAUSE_NANOS);
    }
  }

  private static long waitMs(long dueMs) {
    return dueMs - System.currentTimeMillis();
  }

  /** Whether all readings were offered. */
  boolean isOver() {
    return gateways.stream().noneMatch(Thread::isAlive);
  }

  @Override
  public void close() {
    closed = true;
    publishers.forEach(FleetGateway::close);
  }
}

package io.weir.dev.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.app.StreamsApplication;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.dev.TemporaryDirectory;
import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import io.weir.ops.Meters;
import io.weir.reading.Reading;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Sensors that speak by the clock: the time from offering the first reading past a window's end to
 * the moment a reader of committed records holds the window's summary. With grace alone the window
 * waits for a reading that is past its end by so much; where the gateway says that its sensors are
 * ordered, it does not.
 */
final class FinalLatency extends LatencyWork {
  private static final int SENSORS = 500;
  private static final long PERIOD_MS = 1_000;
  private static final long WINDOW_MS = 10_000;
  private static final long BACK_MS = Duration.ofDays(2).toMillis();

  /** A window of a sensor. */
  private record Key(String sensorId, long startMs) {}

  /** A window whose end has passed, and when the reading was offered that showed it. */
  private record Probe(int number, long offeredNanos) {}

  private final int probes;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final WeirConfig config;
  private final ReadingPublisher publisher;
  private final CommittedWindows windows;
  private final Thread offering = new Thread(this::offerAll, "offering");
  private final Map<Key, Probe> open = new ConcurrentHashMap<>();
  private final long[] windowOf = new long[SENSORS];
  private StreamsApplication application;
  private int nextProbe;
  private volatile boolean closed;
  private volatile RuntimeException failure;

  /** Without or with a gateway that is ordered. */
  FinalLatency(Task task, boolean ordered) {
    super(task);
    this.probes = Math.toIntExact(task.readings());
    String readings = RunTopics.createFor(task);
    TopicNames names = RunTopics.of(task.run(), readings);
    this.config =
        WeirConfig.of(
            new Properties(),
            RunTopics.kafkaVariables(),
            RunTopics.options(task, names, directory.path()));
    this.publisher =
        ReadingPublisher.start(RunTopics.gateway(task, readings).ordered(ordered).build());
    this.windows = new CommittedWindows(task.bootstrapServers(), names.windows(), this::found);
  }

  @Override
  public void start() {
    application = WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
    windows.start();
    offering.start();
  }

  /** Each sensor in its turn; their windows end at times spread over a window. */
  private void offerAll() {
    long startMs = System.currentTimeMillis();
    long startNanos = System.nanoTime();
    for (long turn = 0; !closed; turn++) {
      long afterMs = turn * PERIOD_MS / SENSORS;
      long dueNanos = startNanos + Duration.ofMillis(afterMs).toNanos();
      while (System.nanoTime() < dueNanos) {
        LockSupport.parkNanos(dueNanos - System.nanoTime());
      }
      int sensor = (int) (turn % SENSORS);
      offer(sensor, startMs + afterMs - BACK_MS + sensor * (WINDOW_MS / SENSORS));
    }
  }

  private void offer(int sensor, long timestampMs) {
    String id = "sensor-" + sensor;
    long window = timestampMs / WINDOW_MS;
    if (window > windowOf[sensor]) {
      if (windowOf[sensor] > 0 && nextProbe < probes) {
        Key key = new Key(id, windowOf[sensor] * WINDOW_MS);
        open.put(key, new Probe(nextProbe++, System.nanoTime()));
      }
      windowOf[sensor] = window;
    }
    if (publisher.offer(new Reading(id, timestampMs, sensor)) != Offer.ACCEPTED) {
      failure = new IllegalStateException("the publisher does not take " + SENSORS + " readings/s");
    }
  }

  private void found(WindowSummary summary) {
    long nowNanos = System.nanoTime();
    Probe probe = open.remove(new Key(summary.getSensorId(), summary.getWindowStartMs()));
    if (probe != null) {
      latencies.record(probe.number(), nowNanos - probe.offeredNanos());
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
        offering.join();
        windows.close();
        publisher.close();
        application.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.weir.lab.bench;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Sensors that send by the clock: the time from offering the first reading past a window's end to
 * the moment a reader of committed records holds the window's summary. With grace alone the window
 * waits for a reading that is past its end by so much; where the gateway says that its sensors are
 * ordered, it does not.
 */
final class FinalLatency extends WeirLatency {
  private static final int SENSORS = 500;
  private static final long PERIOD_MS = 1_000;
  private static final long WINDOW_MS = 10_000;
  private static final long BACK_MS = Duration.ofDays(2).toMillis();

  /** A window of a sensor. */
  private record Key(String sensorId, long startMs) {}

  /** A window whose end has passed, and when the reading was offered that showed it. */
  private record Probe(int number, long offeredNanos) {}

  private final int probes;
  private final ReadingPublisher publisher;
  private final Map<Key, Probe> open = new ConcurrentHashMap<>();
  private final long[] windowOf = new long[SENSORS];
  private int nextProbe;

  /** Without or with a gateway that is ordered. */
  FinalLatency(Task task, boolean ordered) {
    this(task, RunTopics.createFor(task), ordered);
  }

  private FinalLatency(Task task, String readings, boolean ordered) {
    super(task, readings);
    this.probes = Math.toIntExact(task.readings());
    this.publisher =
        ReadingPublisher.start(RunTopics.gateway(task, readings).ordered(ordered).build());
  }

  /** Each sensor in its turn; their windows end at times spread over a window. */
  @Override
  protected void sendAll() {
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

  @Override
  protected void found(WindowSummary summary) {
    long nowNanos = System.nanoTime();
    Probe probe = open.remove(new Key(summary.getSensorId(), summary.getWindowStartMs()));
    if (probe != null) {
      latencies.record(probe.number(), nowNanos - probe.offeredNanos());
    }
  }

  @Override
  protected void release() {
    publisher.close();
  }
}

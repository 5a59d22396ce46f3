package io.weir.lab.bench;

import io.weir.internal.app.WindowKeys;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads a fleet's windows as they become readable, and knows how long each took from the moment at
 * which the reading that closes it was due.
 */
final class FleetWindows implements AutoCloseable {
  private static final long GRACE_MS =
      WindowKeys.WINDOW_GRACE.defaultValue().orElseThrow().toMillis();

  private final Fleet fleet;
  private final CommittedWindows records;
  private final long startMs;
  private long[] delaysMs = new long[1 << 16];
  private int delays;
  private long windows;

  FleetWindows(Fleet fleet, String bootstrapServers, String topic, long startMs) {
    this.fleet = fleet;
    this.startMs = startMs;
    this.records = new CommittedWindows(bootstrapServers, topic, this::found);
    records.start();
  }

  private void found(WindowSummary window) {
    long nowMs = System.currentTimeMillis();
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
    records.requireHealthy();
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
    records.close();
  }
}

package io.weir.lab.cli.demo;

import io.weir.lab.GatewayRole;
import io.weir.lab.SimulatedSensor;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The windows and newest rollups of a few sensors, one of each gateway, as they are on the topic.
 * Safe for two threads: one adds windows, one reads.
 */
final class LiveSensors {
  private static final int WINDOWS_KEPT = 60;
  private static final long MINUTE_MS = 60_000;

  private final Map<String, Trace> traces = new LinkedHashMap<>();

  /**
   * What is known of one sensor.
   *
   * @param means of its last windows, the oldest first
   * @param readings in the newest window
   * @param emittedAgain windows that were emitted more than once
   * @param rollup of its newest minute; null where there is none yet
   */
  record View(
      SimulatedSensor sensor,
      double[] means,
      long readings,
      long emittedAgain,
      WindowSummary rollup) {}

  private static final class Trace {
    private final SimulatedSensor sensor;
    private final TreeMap<Long, WindowSummary> windows = new TreeMap<>();
    private long emittedAgain;
    private WindowSummary rollup;

    private Trace(SimulatedSensor sensor) {
      this.sensor = sensor;
    }

    private void add(WindowSummary window) {
      if (window.getCount() == 0) {
        return;
      }
      emittedAgain += window.getRevision() == 1 ? 1 : 0;
      windows.put(window.getWindowStartMs(), window);
      if (windows.size() > WINDOWS_KEPT) {
        windows.pollFirstEntry();
      }
    }

    private void addRollup(WindowSummary newest) {
      boolean minute = newest.getWindowEndMs() - newest.getWindowStartMs() == MINUTE_MS;
      boolean later = rollup == null || newest.getWindowStartMs() >= rollup.getWindowStartMs();
      if (minute && later && newest.getCount() > 0) {
        rollup = newest;
      }
    }

    private View view() {
      double[] means = windows.values().stream().mapToDouble(window -> mean(window)).toArray();
      long readings = windows.isEmpty() ? 0 : windows.lastEntry().getValue().getCount();
      return new View(sensor, means, readings, emittedAgain, rollup);
    }

    private static double mean(WindowSummary window) {
      return window.getSum() / window.getCount();
    }
  }

  /** Watches one sensor of each gateway, their signals as different as can be. */
  LiveSensors(List<SimulatedSensor> sensors) {
    for (GatewayRole role : GatewayRole.values()) {
      sensors.stream()
          .filter(sensor -> sensor.gateway() == role)
          .skip(role.ordinal() % 3)
          .findFirst()
          .ifPresent(sensor -> traces.put(sensor.id(), new Trace(sensor)));
    }
  }

  synchronized void add(WindowSummary window) {
    Trace trace = traces.get(window.getSensorId());
    if (trace != null) {
      trace.add(window);
    }
  }

  synchronized void addRollup(WindowSummary rollup) {
    Trace trace = traces.get(rollup.getSensorId());
    if (trace != null) {
      trace.addRollup(rollup);
    }
  }

  synchronized List<View> views() {
    List<View> views = new ArrayList<>();
    traces.values().forEach(trace -> views.add(trace.view()));
    return views;
  }
}

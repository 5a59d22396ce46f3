package io.weir.internal.topology;

import io.weir.internal.hot.HotList;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.window.Sensor;

/**
 * Finds the sensors and gateways that send most on one partition, by whole minutes of its log time,
 * and reports it. Adds to a batch one count a run of readings and one for its gateway. Not part of
 * the state: after a restart it begins with the next minute. Called by the task's thread.
 */
final class HotWatch {
  /** How many sensors and gateways are looked at, at the most, with one record. */
  private static final int SLICE = 4_096;

  private final int partition;
  private final HotList<Sensor> sensors;
  private final HotGateways gateways;
  private final Measures measures;
  private boolean looking;
  private long endMs;

  /**
   * @param sensors in which the windows count
   * @param maxGateways that the partition may know
   */
  HotWatch(int partition, HotList<Sensor> sensors, int maxGateways, Measures measures) {
    this.partition = partition;
    this.sensors = sensors;
    this.gateways = new HotGateways(maxGateways);
    this.measures = measures;
  }

  /** A record is at hand, and not yet counted. */
  void observe(long logMs, long appendMs) {
    if (looking && sensors.isOver(logMs)) {
      look(
          Integer
              .MAX_VALUE); // What is counted next would take the place of what was not looked at.
    }
    gateways.observe(logMs);
    if (sensors.observe(logMs)) {
      looking = true;
      endMs = appendMs;
    }
  }

  /** A batch was decoded, whatever becomes of it. */
  void batch(String gatewayId, int readings) {
    gateways.add(gatewayId, readings);
  }

  /** A record was processed. */
  void processed() {
    if (looking) {
      look(SLICE);
    }
  }

  private void look(int slice) {
    if (sensors.look(slice) && gateways.list().look(slice)) {
      looking = false;
      measures.hot(
          new HotMinute(
              partition,
              endMs,
              sensors.total(),
              sensors.take(),
              gateways.list().total(),
              gateways.list().take()));
    }
  }
}

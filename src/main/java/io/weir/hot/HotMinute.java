package io.weir.hot;

import java.util.List;

/**
 * The sensors and gateways that sent most on a partition in a whole minute of its log time.
 * Immutable.
 *
 * @param endMs append time of the first record after the minute, in milliseconds
 * @param readings of the partition's sensors, aggregated or late
 * @param sensors the heaviest first, {@value HotList#LENGTH} at most
 * @param gatewayReadings all that were decoded: those that were refused and those that came twice,
 *     too
 * @param gateways the heaviest first, {@value HotList#LENGTH} at most
 */
public record HotMinute(
    int partition,
    long endMs,
    long readings,
    List<HeavyHitter> sensors,
    long gatewayReadings,
    List<HeavyHitter> gateways) {
  public HotMinute {
    sensors = List.copyOf(sensors);
    gateways = List.copyOf(gateways);
  }

  /** The largest sensor's part of the partition's readings, from 0 to 1; 0 where there are none. */
  public double share() {
    return sensors.isEmpty() ? 0 : share(sensors.get(0).readings(), readings);
  }

  /** A part of a whole, from 0 to 1; 0 of nothing. */
  public static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}

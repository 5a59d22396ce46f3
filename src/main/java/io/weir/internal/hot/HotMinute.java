package io.weir.internal.hot;

import java.util.List;

/**
 * The sensors and gateways with the most readings of a partition in a full minute of its log time.
 * Immutable.
 *
 * @param endMs append time of the first record after the minute, in milliseconds
 * @param readings readings of the partition's sensors, aggregated or late
 * @param sensors the heaviest first, {@value HotList#LENGTH} at most
 * @param gatewayReadings all decoded readings, including refused and duplicate ones
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

  /**
   * The share of the heaviest sensor in the partition's readings, from 0 to 1; 0 if there are none.
   */
  public double share() {
    return sensors.isEmpty() ? 0 : share(sensors.get(0).readings(), readings);
  }

  /** A share, from 0 to 1; 0 if the whole is 0. */
  public static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}

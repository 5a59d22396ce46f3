package io.weir.dev.chaos;

import io.weir.window.WindowSpec;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a run is to be.
 *
 * @param seed of the plan and of the readings: any
 * @param duration of the faults, at the most; what comes before and after is not counted
 * @param faults how often each kind is had at the most; those that are absent are not had
 * @param brokers 1, or 3 for replicated topics
 * @param applications processes of {@code weir run}
 * @param gateways processes with a publisher
 * @param readingsPerSecond of all gateways together
 * @param sensors of all gateways together
 * @param session after which a silent application's partitions are given to others
 * @param standbys copies of the state that other applications keep up to date
 * @param bug planted into the applications
 */
public record ChaosSettings(
    long seed,
    Duration duration,
    Map<FaultKind, Integer> faults,
    int brokers,
    int applications,
    int gateways,
    int readingsPerSecond,
    int sensors,
    Duration session,
    int standbys,
    PlantedBug bug) {
  static final Duration WINDOW_SIZE = Duration.ofSeconds(2);
  static final Duration WINDOW_GRACE = Duration.ofSeconds(1);
  static final Duration LATENESS = Duration.ofSeconds(2);
  static final Duration IDLE_TIMEOUT = Duration.ofSeconds(3);
  static final Duration MAX_FUTURE_SKEW = Duration.ofMinutes(1);
  static final Duration SENSOR_TTL = Duration.ofDays(1);

  public ChaosSettings {
    Map<FaultKind, Integer> copy = new EnumMap<>(FaultKind.class);
    copy.putAll(faults);
    faults = copy;
    require(brokers == 1 || brokers == 3, "brokers " + brokers + ": allowed are 1 and 3");
    require(
        applications >= 1 && applications <= 8,
        "applications " + applications + ": allowed are 1 to 8");
    require(gateways >= 1 && gateways <= 16, "gateways " + gateways + ": allowed are 1 to 16");
    require(
        readingsPerSecond >= 20 * gateways,
        "rate " + readingsPerSecond + ": allowed is 20 a gateway or more");
    require(sensors >= gateways, "sensors " + sensors + ": allowed is 1 a gateway or more");
    require(standbys < applications, "standbys " + standbys + ": allowed is 0 up to the others");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Three brokers, two applications, three gateways, and no faults yet. */
  public static ChaosSettings of(long seed, Duration duration) {
    return new ChaosSettings(
        seed, duration, Map.of(), 3, 2, 3, 6_000, 1_500, Duration.ofSeconds(6), 0, PlantedBug.NONE);
  }

  public ChaosSettings withFaults(Map<FaultKind, Integer> newFaults) {
    return new ChaosSettings(
        seed,
        duration,
        newFaults,
        brokers,
        applications,
        gateways,
        readingsPerSecond,
        sensors,
        session,
        standbys,
        bug);
  }

  public ChaosSettings withProcesses(int newBrokers, int newApplications, int newGateways) {
    return new ChaosSettings(
        seed,
        duration,
        faults,
        newBrokers,
        newApplications,
        newGateways,
        readingsPerSecond,
        sensors,
        session,
        standbys,
        bug);
  }

  public ChaosSettings withLoad(int newReadingsPerSecond, int newSensors) {
    return new ChaosSettings(
        seed,
        duration,
        faults,
        brokers,
        applications,
        gateways,
        newReadingsPerSecond,
        newSensors,
        session,
        standbys,
        bug);
  }

  public ChaosSettings withMembers(Duration newSession, int newStandbys) {
    return new ChaosSettings(
        seed,
        duration,
        faults,
        brokers,
        applications,
        gateways,
        readingsPerSecond,
        sensors,
        newSession,
        newStandbys,
        bug);
  }

  public ChaosSettings withBug(PlantedBug newBug) {
    return new ChaosSettings(
        seed,
        duration,
        faults,
        brokers,
        applications,
        gateways,
        readingsPerSecond,
        sensors,
        session,
        standbys,
        newBug);
  }

  static WindowSpec windows() {
    return new WindowSpec(
        WINDOW_SIZE.toMillis(),
        WINDOW_GRACE.toMillis(),
        LATENESS.toMillis(),
        IDLE_TIMEOUT.toMillis(),
        WindowSpec.IdleRule.OVER_IN_PARTITION_TIME,
        SENSOR_TTL.toMillis());
  }
}

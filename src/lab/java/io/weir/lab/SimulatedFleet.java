package io.weir.lab;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A few thousand sensors behind {@link GatewayRole six gateways} with faults on purpose. What it
 * says depends on its settings and the time it starts at alone, not on how often it is asked to go
 * on. Used by one thread; the figures of its backlog may be read by any.
 */
public final class SimulatedFleet {
  /** What gateways do at intervals, they do at these. */
  static final long BEAT_MS = 250;

  /** One in so many readings, or batches, is touched by a fault that is on. */
  private static final int ONE_IN = 16;

  private final FleetSettings settings;
  private final FaultScript script;
  private final long startMs;
  private final List<SimulatedSensor> sensors = new ArrayList<>();
  private final Map<GatewayRole, Uplink> uplinks = new EnumMap<>(GatewayRole.class);
  private final FaultyUplink repeating;
  private final FaultyUplink broken;
  private final Map<GatewayRole, SimulatedGateway> gateways = new EnumMap<>(GatewayRole.class);
  private final SeededChance noise;
  private final SeededChance faults;
  private long nextReading;
  private long nextBeatMs = BEAT_MS;
  private long beats;

  /**
   * @param startMs event time of its first reading, milliseconds since the Unix epoch
   * @param ways makes the way to the brokers of each gateway
   */
  SimulatedFleet(FleetSettings settings, long startMs, Uplinks ways) {
    this.settings = settings;
    this.script = new FaultScript(settings.cycle());
    this.startMs = startMs;
    SeededChance chance = new SeededChance(settings.seed());
    this.noise = new SeededChance(chance.bits(1));
    this.faults = new SeededChance(chance.bits(2));
    SeededChance character = new SeededChance(chance.bits(3));
    for (int number = 0; number < settings.sensors(); number++) {
      sensors.add(SimulatedSensor.of(number, character));
    }
    repeating = ways.faulty(GatewayRole.REPEATING);
    broken = ways.faulty(GatewayRole.BROKEN);
    for (GatewayRole role : GatewayRole.values()) {
      Uplink uplink =
          switch (role) {
            case REPEATING -> repeating;
            case BROKEN -> broken;
            case STEADY, TRAVELLING, FAST_CLOCK, SLOW_CLOCK -> ways.honest(role);
          };
      uplinks.put(role, uplink);
      gateways.put(role, new SimulatedGateway(uplink));
    }
  }

  /** A fleet that publishes to a cluster; what is acknowledged goes into the ledger. */
  public static SimulatedFleet onKafka(
      FleetSettings settings,
      long startMs,
      String bootstrapServers,
      String topic,
      Map<String, Object> values,
      FleetLedger ledger) {
    return new SimulatedFleet(
        settings,
        startMs,
        new KafkaUplinks(bootstrapServers, topic, values, startMs << 20, ledger));
  }

  public FaultScript script() {
    return script;
  }

  /** The sensors, in the order in which they take turns. */
  public List<SimulatedSensor> sensors() {
    return List.copyOf(sensors);
  }

  /** Readings that wait at a gateway because it is offline, or not taken from. */
  public int waiting(GatewayRole role) {
    return gateways.get(role).waiting();
  }

  /** Says everything that is due up to a time after the start. */
  void advanceTo(long elapsedMs) {
    while (nextBeatMs <= elapsedMs) {
      readUpTo(nextBeatMs);
      beat();
      nextBeatMs += BEAT_MS;
    }
    readUpTo(elapsedMs);
  }

  private void readUpTo(long elapsedMs) {
    for (long dueMs = dueMs(nextReading); dueMs <= elapsedMs; dueMs = dueMs(nextReading)) {
      read(sensors.get((int) (nextReading % sensors.size())), dueMs, nextReading);
      nextReading++;
    }
  }

  private long dueMs(long reading) {
    return reading * 1000 / settings.readingsPerSecond();
  }

  private void read(SimulatedSensor sensor, long dueMs, long number) {
    long timestampMs = startMs + dueMs;
    double value = sensor.valueAt(timestampMs, noise.signed(number));
    FleetLedger.Kind kind = kindOf(sensor.gateway(), dueMs, number);
    gateways
        .get(sensor.gateway())
        .hear(
            new Reading(
                sensor.id(),
                timestampMs + clockErrorMs(kind),
                kind == FleetLedger.Kind.NOT_A_NUMBER ? Double.NaN : value),
            kind);
  }

  private FleetLedger.Kind kindOf(GatewayRole role, long dueMs, long number) {
    boolean chosen = faults.below(ONE_IN, number) == 0;
    return switch (role) {
      case FAST_CLOCK ->
          script.isOn(Fault.FUTURE_CLOCK, dueMs)
              ? FleetLedger.Kind.FUTURE
              : FleetLedger.Kind.HONEST;
      case SLOW_CLOCK -> FleetLedger.Kind.BEHIND;
      case STEADY ->
          chosen && script.isOn(Fault.OLD_READINGS, dueMs)
              ? FleetLedger.Kind.OLD
              : FleetLedger.Kind.HONEST;
      case BROKEN -> {
        if (chosen && script.isOn(Fault.NOT_A_NUMBER, dueMs)) {
          yield FleetLedger.Kind.NOT_A_NUMBER;
        }
        yield chosen && script.isOn(Fault.MISROUTED, dueMs)
            ? FleetLedger.Kind.MISROUTED
            : FleetLedger.Kind.HONEST;
      }
      case TRAVELLING, REPEATING -> FleetLedger.Kind.HONEST;
    };
  }

  private long clockErrorMs(FleetLedger.Kind kind) {
    return switch (kind) {
      case FUTURE -> settings.clockAheadMs();
      case BEHIND -> -FleetSettings.CLOCK_BEHIND_MS;
      case OLD -> -FleetSettings.OLD_MS;
      default -> 0;
    };
  }

  /** What gateways do beside passing on readings. */
  private void beat() {
    gateways.get(GatewayRole.TRAVELLING).online(!script.isOn(Fault.OFFLINE, nextBeatMs));
    gateways.values().forEach(SimulatedGateway::drain);
    uplinks.values().forEach(Uplink::flush);
    if (script.isOn(Fault.RESENDS, nextBeatMs)) {
      int first = faults.below(ONE_IN, -beats - 1);
      for (int partition = first; partition < SensorPartition.COUNT; partition += ONE_IN / 4) {
        repeating.resend(partition);
      }
    }
    if (script.isOn(Fault.POISON, nextBeatMs)) {
      Poison[] kinds = Poison.values();
      broken.poison(
          faults.below(SensorPartition.COUNT, -beats - 1),
          kinds[(int) (beats % kinds.length)].bytes());
    }
    beats++;
  }

  /** Brings every gateway back online and sends what waits; returns whether nothing waits. */
  boolean drain() {
    boolean empty = true;
    for (SimulatedGateway gateway : gateways.values()) {
      gateway.online(true);
      empty &= gateway.drain();
    }
    return empty;
  }

  /**
   * Closes all uplinks, one after the other.
   *
   * @param timeout for all together
   * @return whether everything they took was acknowledged
   */
  boolean close(Duration timeout) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    boolean whole = true;
    for (Uplink uplink : uplinks.values()) {
      long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
      whole &= uplink.close(Duration.ofNanos(leftNanos));
    }
    return whole;
  }
}

package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SimulatedFleetTest {
  private static final long START_MS = 1_700_000_000_000L;
  private static final Duration CYCLE = Duration.ofSeconds(24);
  private static final long AHEAD_MS = 900_000;

  private final RecordingUplinks uplinks = new RecordingUplinks();
  private final SimulatedFleet fleet = fleet(1, uplinks);

  private static SimulatedFleet fleet(long seed, RecordingUplinks uplinks) {
    return new SimulatedFleet(new FleetSettings(seed, 90, 900, CYCLE, AHEAD_MS), START_MS, uplinks);
  }

  @Test
  void sameSeed_saysTheSame_howeverOftenItIsAskedToGoOn() {
    RecordingUplinks others = new RecordingUplinks();
    SimulatedFleet other = fleet(1, others);

    fleet.advanceTo(24_000);
    for (long elapsedMs = 0; elapsedMs <= 24_000; elapsedMs += 7) {
      other.advanceTo(Math.min(elapsedMs, 24_000));
    }
    other.advanceTo(24_000);

    for (GatewayRole role : GatewayRole.values()) {
      assertThat(others.of(role).readings).as(role.name()).isEqualTo(uplinks.of(role).readings);
      assertThat(others.of(role).events).as(role.name()).isEqualTo(uplinks.of(role).events);
    }
  }

  @Test
  void otherSeed_saysSomethingElse() {
    RecordingUplinks others = new RecordingUplinks();
    fleet.advanceTo(1000);
    fleet(2, others).advanceTo(1000);

    assertThat(others.of(GatewayRole.STEADY).readings)
        .isNotEqualTo(uplinks.of(GatewayRole.STEADY).readings);
  }

  @Test
  void rate_isKept_andEverySensorTakesItsTurn() {
    fleet.advanceTo(2000);
    List<Reading> all =
        java.util.stream.Stream.of(GatewayRole.values())
            .flatMap(role -> uplinks.of(role).readings.stream())
            .toList();

    assertThat(all).hasSize(1801);
    Map<String, Long> bySensor =
        all.stream().collect(Collectors.groupingBy(Reading::sensorId, Collectors.counting()));
    assertThat(bySensor).hasSize(90);
    assertThat(bySensor.values()).allMatch(count -> count == 20 || count == 21);
  }

  @Test
  void offlineGateway_sendsNothing_thenItsBacklogInOrder() {
    fleet.advanceTo(8750);
    RecordingUplinks.Recording travelling = uplinks.of(GatewayRole.TRAVELLING);
    int before = travelling.readings.size();
    assertThat(fleet.waiting(GatewayRole.TRAVELLING)).isGreaterThan(500);

    fleet.advanceTo(10_000);

    assertThat(fleet.waiting(GatewayRole.TRAVELLING)).isZero();
    assertThat(travelling.readings).hasSizeGreaterThan(before + 500);
    assertThat(travelling.readings).isSortedAccordingTo(Comparator.comparing(Reading::timestampMs));
    assertThat(travelling.count(FleetLedger.Kind.BACKLOG)).isGreaterThan(500);
  }

  @Test
  void suspendedUplink_losesNothing() {
    RecordingUplinks.Recording steady = uplinks.of(GatewayRole.STEADY);
    steady.suspended = true;
    fleet.advanceTo(1000);
    assertThat(steady.readings).isEmpty();
    assertThat(fleet.drain()).isFalse();

    steady.suspended = false;

    assertThat(fleet.drain()).isTrue();
    assertThat(steady.readings).hasSize(151);
    assertThat(steady.kinds).containsOnly(FleetLedger.Kind.HONEST);
  }

  @Test
  void cycle_showsEveryFault() {
    fleet.advanceTo(24_000);

    assertThat(uplinks.of(GatewayRole.FAST_CLOCK).count(FleetLedger.Kind.FUTURE)).isPositive();
    assertThat(uplinks.of(GatewayRole.SLOW_CLOCK).kinds).containsOnly(FleetLedger.Kind.BEHIND);
    assertThat(uplinks.of(GatewayRole.STEADY).count(FleetLedger.Kind.OLD)).isPositive();
    RecordingUplinks.Recording broken = uplinks.of(GatewayRole.BROKEN);
    assertThat(broken.count(FleetLedger.Kind.MISROUTED)).isPositive();
    assertThat(broken.count(FleetLedger.Kind.NOT_A_NUMBER)).isPositive();
    assertThat(broken.readings.stream().filter(reading -> Double.isNaN(reading.value())))
        .hasSize((int) broken.count(FleetLedger.Kind.NOT_A_NUMBER));
    assertThat(broken.events).anyMatch(event -> event.startsWith("poison"));
    assertThat(uplinks.of(GatewayRole.REPEATING).events)
        .anyMatch(event -> event.startsWith("resend"));
  }

  @Test
  void clocks_areWrongByWhatTheyShould() {
    fleet.advanceTo(10_000);
    RecordingUplinks.Recording fast = uplinks.of(GatewayRole.FAST_CLOCK);
    for (int i = 0; i < fast.readings.size(); i++) {
      long errorMs = fast.kinds.get(i) == FleetLedger.Kind.FUTURE ? AHEAD_MS : 0;
      assertThat(fast.readings.get(i).timestampMs() - errorMs)
          .isBetween(START_MS, START_MS + 10_000);
    }
    assertThat(uplinks.of(GatewayRole.SLOW_CLOCK).readings.get(0).timestampMs())
        .isBetween(START_MS - 45_000, START_MS - 44_900);
  }
}

package io.weir.lab.cli.demo;

import io.weir.lab.AuditTally;
import io.weir.lab.Balance;
import io.weir.lab.Fault;
import io.weir.lab.FaultScript;
import io.weir.lab.FleetLedger;
import io.weir.lab.FleetSettings;
import io.weir.lab.GatewayRole;
import io.weir.lab.Signal;
import io.weir.lab.SimulatedSensor;
import io.weir.reading.RejectReason;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A moment of a demo, made up. */
final class Snapshots {
  private static final FleetSettings FLEET =
      new FleetSettings(1, 90, 900, Duration.ofSeconds(24), 900_000);

  private Snapshots() {}

  static DemoSnapshot at(DemoPhase phase, long elapsedMs) {
    FleetLedger ledger = new FleetLedger();
    ledger.acknowledged(FleetLedger.Kind.HONEST, 180_000);
    ledger.acknowledged(FleetLedger.Kind.BACKLOG, 16_650);
    ledger.acknowledged(FleetLedger.Kind.RESENT, 3_171);
    ledger.acknowledged(FleetLedger.Kind.FUTURE, 5_703);
    ledger.acknowledged(FleetLedger.Kind.POISON, 2);
    AuditTally tally =
        new AuditTally(
            900,
            190_000,
            2,
            4_300,
            4_000,
            92_073,
            0,
            0,
            2_902,
            Map.of(RejectReason.FUTURE_TIMESTAMP, 2_902L),
            2,
            3_171,
            Map.of(GatewayRole.REPEATING.gatewayId(), 3_171L));
    FaultReport.Facts facts =
        new FaultReport.Facts(
            FLEET,
            new FaultScript(FLEET.cycle()),
            elapsedMs,
            phase == DemoPhase.RUNNING,
            ledger,
            tally,
            1_203);
    Balance balance = tally.balance(ledger.offered());
    return new DemoSnapshot(
        phase,
        elapsedMs,
        "90 sensors, windows of 2 s",
        new DemoSnapshot.Rates(20_153, new double[] {0, 10_000, 20_153}),
        new DemoSnapshot.Rates(318.4, new double[] {0, 0, 318.4}),
        new double[] {0, 12, 7},
        tally,
        balance,
        new LiveEvents.View(
            30,
            2,
            240,
            7,
            "vib-0004 SILENT",
            "vibration-high ACTIVE vib-0004 at 6.1",
            "plant, 34 events, QUIET"),
        Stream.of(Fault.values()).map(fault -> FaultReport.of(fault, facts)).toList(),
        List.of(
            sensor("temp-0000", Signal.TEMPERATURE, GatewayRole.STEADY, 0, 25, 24, 25.17),
            sensor("vib-0004", Signal.VIBRATION, GatewayRole.TRAVELLING, 1, 5.5, 5.9),
            sensor("press-0008", Signal.PRESSURE, GatewayRole.FAST_CLOCK, 0)));
  }

  private static LiveSensors.View sensor(
      String id, Signal signal, GatewayRole role, long emittedAgain, double... means) {
    return new LiveSensors.View(
        new SimulatedSensor(id, signal, 0.5, role),
        means,
        20,
        emittedAgain,
        WindowSummary.newBuilder().setCount(1_200).setMin(23.94).setMax(26.3).build());
  }
}

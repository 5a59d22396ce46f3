package io.weir.lab.cli.demo;

import io.weir.lab.AuditTally;
import io.weir.lab.Balance;
import io.weir.lab.Fault;
import io.weir.lab.FleetLedger;
import io.weir.lab.FleetSettings;
import io.weir.lab.GatewayRole;
import io.weir.lab.GroupLag;
import io.weir.lab.SimulatedFleet;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Looks at everything of a running demo that there is to see. One thread. */
final class DemoWatch {
  private static final long LAG_EVERY_MS = 500;

  private static final int LAGS_KEPT = 240;

  private final String setup;
  private final FleetSettings settings;
  private final SimulatedFleet fleet;
  private final FleetLedger ledger;
  private final Supplier<AuditTally> auditor;
  private final ToLongFunction<AuditTally> offeredBeside;
  private final GroupLag lag;
  private final LiveSensors sensors;
  private final Supplier<LiveEvents.View> events;
  private final RateHistory readings = new RateHistory();
  private final RateHistory windows = new RateHistory();
  private double[] lagHistory = {};
  private long nextLagMs;

  /**
   * @param offeredBeside readings that others than the fleet offered, resends each time
   */
  DemoWatch(
      String setup,
      FleetSettings settings,
      SimulatedFleet fleet,
      FleetLedger ledger,
      Supplier<AuditTally> auditor,
      ToLongFunction<AuditTally> offeredBeside,
      GroupLag lag,
      LiveSensors sensors,
      Supplier<LiveEvents.View> events) {
    this.setup = setup;
    this.settings = settings;
    this.fleet = fleet;
    this.ledger = ledger;
    this.auditor = auditor;
    this.offeredBeside = offeredBeside;
    this.lag = lag;
    this.sensors = sensors;
    this.events = events;
  }

  /** How things are at a time after the fleet's start. */
  DemoSnapshot look(DemoPhase phase, long elapsedMs) {
    AuditTally tally = auditor.get();
    readings.sample(elapsedMs, tally.readings());
    windows.sample(elapsedMs, tally.emissions());
    sampleLag(elapsedMs);
    FaultReport.Facts facts =
        new FaultReport.Facts(
            settings,
            fleet.script(),
            elapsedMs,
            phase == DemoPhase.RUNNING,
            ledger,
            tally,
            fleet.waiting(Fault.OFFLINE.gateway()));
    List<FaultReport> faults =
        Stream.of(Fault.values()).map(fault -> FaultReport.of(fault, facts)).toList();
    return new DemoSnapshot(
        phase,
        elapsedMs,
        setup,
        DemoSnapshot.Rates.of(readings),
        DemoSnapshot.Rates.of(windows),
        lagHistory,
        tally,
        balance(tally),
        events.get(),
        faults,
        sensors.views());
  }

  private void sampleLag(long elapsedMs) {
    if (elapsedMs >= nextLagMs) {
      nextLagMs = elapsedMs + LAG_EVERY_MS;
      int from = Math.max(0, lagHistory.length + 1 - LAGS_KEPT);
      lagHistory = Arrays.copyOfRange(lagHistory, from, lagHistory.length + 1);
      lagHistory[lagHistory.length - 1] = lag.records();
    }
  }

  /**
   * What the fleet offered, and what its publishers sent a second time by themselves because an
   * answer was lost: that is on the topic twice, and the ledger has it once.
   */
  private Balance balance(AuditTally tally) {
    long resentByPublishers =
        Stream.of(GatewayRole.values())
            .filter(role -> !role.homemade())
            .mapToLong(role -> tally.duplicatesOf(role.gatewayId()))
            .sum();
    return tally.balance(ledger.offered() + resentByPublishers + offeredBeside.applyAsLong(tally));
  }
}

package io.weir.internal.topology;

import io.weir.internal.alarm.SensorState;
import io.weir.internal.alarm.StatusCounts;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Omission;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.RejectReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Measures as plain numbers. */
final class Counts implements Measures {
  long batches;
  long readings;
  long aggregated;
  long late;
  long withheld;
  long windowsWithheld;
  long windowsLeft;
  long deletedUnread;
  long duplicate;
  long rejected;
  long undecodable;
  long lostBatches;
  int sensors;
  int wentBack;
  int gatewayResets;
  long lostForGood;
  long unsigned;
  long samplesOverflowed;
  long openWindows;
  long watermarkLagMs;
  double sensorsOfOneGatewayUsed;
  int rollups;
  int hops;
  final Map<SensorState, Integer> statuses = new EnumMap<>(SensorState.class);
  final Map<String, Integer> alarms = new TreeMap<>();
  StatusCounts statusCounts;
  final Map<Omission, Integer> leftOut = new EnumMap<>(Omission.class);
  final Map<CloseReason, Integer> windows = new EnumMap<>(CloseReason.class);
  final Map<IgnoredAttestation, Integer> attestationsIgnored =
      new EnumMap<>(IgnoredAttestation.class);
  long attestationsBroken;
  final List<HotMinute> hot = new ArrayList<>();

  @Override
  public void batch(int count) {
    batches++;
    readings += count;
  }

  @Override
  public void aggregated(int count) {
    aggregated += count;
  }

  @Override
  public void late(int count) {
    late += count;
  }

  @Override
  public void withheld(int count) {
    withheld += count;
  }

  @Override
  public void windowsLeft(long count) {
    windowsLeft += count;
  }

  @Override
  public void windowsWithheld(long count) {
    windowsWithheld += count;
  }

  @Override
  public void deletedUnread(long count) {
    deletedUnread += count;
  }

  @Override
  public void duplicate(int count) {
    duplicate += count;
  }

  @Override
  public void rejected(RejectReason reason, int count) {
    rejected += count;
  }

  @Override
  public void unsigned() {
    unsigned++;
  }

  @Override
  public void gatewaysFile(boolean accepted) {}

  @Override
  public void undecodable(RejectReason reason) {
    undecodable++;
  }

  @Override
  public void rollup(CloseReason reason) {
    rollups++;
  }

  @Override
  public void hop(CloseReason reason) {
    hops++;
  }

  @Override
  public void leftOut(Omission what) {
    leftOut.merge(what, 1, Integer::sum);
  }

  @Override
  public void window(CloseReason reason) {
    windows.merge(reason, 1, Integer::sum);
  }

  @Override
  public void attestationsIgnored(IgnoredAttestation cause, int attestations) {
    attestationsIgnored.merge(cause, attestations, Integer::sum);
  }

  @Override
  public void attestationsBroken(int readings) {
    attestationsBroken += readings;
  }

  @Override
  public void samplesOverflowed() {
    samplesOverflowed++;
  }

  @Override
  public void status(SensorState state) {
    statuses.merge(state, 1, Integer::sum);
  }

  @Override
  public void alarm(int priority, boolean active) {
    alarms.merge(priority + (active ? " active" : " cleared"), 1, Integer::sum);
  }

  @Override
  public void statuses(int partition, StatusCounts counts) {
    statusCounts = counts;
  }

  @Override
  public void watermarkLag(long lagMs) {
    watermarkLagMs = lagMs;
  }

  @Override
  public void appendTimeWentBack() {
    wentBack++;
  }

  @Override
  public void partition(int partition, int sensorsNow, long windowsNow) {
    sensors = sensorsNow;
    openWindows = windowsNow;
  }

  @Override
  public void capsUsed(int partition, double sensors, double gateways, double sensorsOfOneGateway) {
    sensorsOfOneGatewayUsed = sensorsOfOneGateway;
  }

  @Override
  public void hot(HotMinute minute) {
    hot.add(minute);
  }

  @Override
  public void missingBatches(int partition, Map<String, Long> byGateway) {
    lostBatches = byGateway.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void batchesLostForGood(long batches) {
    lostForGood += batches;
  }

  @Override
  public void gatewayReset() {
    gatewayResets++;
  }

  @Override
  public void partitionGone(int partition) {}
}

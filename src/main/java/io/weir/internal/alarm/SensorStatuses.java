package io.weir.internal.alarm;

import io.weir.internal.alarm.AlarmTransition.Cause;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Status and alarms of the sensors of one partition. Receives windows, batches, silence and the
 * expiry of sensors, and emits each change once, with the record that caused it. Silence is
 * measured in log time, so a broker outage does not count as silence. Costs one lookup for each
 * sensor of a batch. Not thread-safe.
 */
public final class SensorStatuses {
  private final StatusPlan plan;
  private final PartitionTime time;
  private final Rules.Matcher matcher;
  private final AlarmJudge judge;
  private final List<SilenceWatch> watches = new ArrayList<>();
  private final StatusTransitions transitions;
  private final StatusReview review;
  private final Map<String, String> gatewayIds = new HashMap<>();
  private final BaselineBudget budget;
  private String batchGatewayId = "";

  /**
   * @param time time of the partition
   */
  public SensorStatuses(StatusPlan plan, PartitionTime time) {
    this(plan, time, new BaselineBudget(BaselineBudget.MOST_BYTES));
  }

  SensorStatuses(StatusPlan plan, PartitionTime time, BaselineBudget budget) {
    this.budget = budget;
    this.plan = plan;
    this.time = time;
    this.matcher = new Rules.Matcher(plan.rules());
    this.transitions = new StatusTransitions(plan.sendsStatus(), time);
    this.judge = new AlarmJudge(plan.windowSizeMs(), transitions, budget);
    this.review = new StatusReview(plan, time, transitions, this::await);
    List<Long> silencesMs = new ArrayList<>(plan.rules().silencesMs());
    if (!silencesMs.contains(plan.silentAfterMs())) {
      silencesMs.add(plan.silentAfterMs());
    }
    silencesMs.forEach(afterMs -> watches.add(new SilenceWatch(afterMs, watches.size())));
  }

  /**
   * Whether status or alarms are enabled. If not, only resume, upkeep, endRecord and clear may be
   * called, which end the previously stored status.
   */
  public boolean isOn() {
    return plan.isOn();
  }

  public StatusPlan plan() {
    return plan;
  }

  /** Sets the receiver of transitions. */
  public void sendTo(StatusSink statusSink) {
    transitions.sendTo(statusSink);
  }

  /** To be called before a batch is applied. */
  public void beginBatch(String gatewayId) {
    if (!gatewayId.equals(batchGatewayId)) {
      batchGatewayId = interned(gatewayId);
    }
  }

  /** Returns one object for all sensors of a gateway; unused ones are dropped. */
  private String interned(String gatewayId) {
    if (gatewayIds.size() > 1000 + 2 * transitions.counts().sensors()) {
      gatewayIds.clear();
    }
    String known = gatewayIds.putIfAbsent(gatewayId, gatewayId);
    return known == null ? gatewayId : known;
  }

  /** A batch has readings of a sensor. */
  void received(SensorWindows sensor) {
    KeptStatus status = statusOf(sensor);
    if (status.isSettled() && status.gatewayId() == batchGatewayId) {
      return;
    }
    if (!status.state().speaks()) {
      transitions.enter(
          sensor,
          status,
          status.state() == SensorState.SILENT ? SensorState.RESUMED : SensorState.STARTED);
    }
    for (Condition condition : status.conditions().ofSilence()) {
      if (status.isActive(condition)) {
        transitions.clear(sensor, status, status.find(condition), Cause.SENDS_AGAIN);
      }
    }
    if (status.gatewayId() != batchGatewayId && !status.gatewayId().equals(batchGatewayId)) {
      long bytes = status.baselineBytes();
      budget.grow(status.gatewayId(), -bytes);
      budget.grow(batchGatewayId, bytes);
      status.gatewayId(batchGatewayId);
      transitions.changed(sensor, status);
    }
    await(sensor, status);
    status.settle();
  }

  /** The status of a sensor, created if missing. */
  private KeptStatus statusOf(SensorWindows sensor) {
    if (sensor.extension() instanceof KeptStatus status) {
      return status;
    }
    KeptStatus status = new KeptStatus(matcher.of(sensor.name()));
    sensor.extension(status);
    transitions.counts().added(status);
    return status;
  }

  /** Watches each silence that would change the status. */
  private void await(SensorWindows sensor, KeptStatus status) {
    for (SilenceWatch watch : watches) {
      if (turnsAfter(watch.afterMs(), status)) {
        watch.await(sensor, status);
      }
    }
  }

  private boolean turnsAfter(long afterMs, KeptStatus status) {
    if (afterMs == plan.silentAfterMs() && status.state() != SensorState.SILENT) {
      return true;
    }
    for (Condition condition : status.conditions().ofSilence()) {
      if (condition.silentAfterMs() == afterMs && !status.isActive(condition)) {
        return true;
      }
    }
    return false;
  }

  void closed(SensorWindows sensor, Window window) {
    judge.closed(sensor, statusOf(sensor), window);
  }

  void idle(SensorWindows sensor, Window window) {
    judge.idle(sensor, statusOf(sensor), window);
  }

  /** A sensor expires: only its active alarms remain. */
  void forgetting(SensorWindows sensor) {
    KeptStatus status = statusOf(sensor);
    status.lastTimestampMs(sensor.watermarkMs());
    status.awaitNoLonger(-1);
    transitions.enter(sensor, status, SensorState.FINISHED);
    for (Alarm alarm : List.copyOf(status.alarms())) {
      if (alarm.doesNotExceed() && alarm.isBlank()) {
        status.remove(alarm);
      }
    }
    status.baselines().forEach(baseline -> transitions.changes().dropped(sensor, baseline));
    budget.grow(status.gatewayId(), -status.baselineBytes());
    status.dropBaselines();
  }

  /** A sensor was removed from the state. */
  void purged(SensorWindows sensor) {
    KeptStatus status = statusOf(sensor);
    for (Alarm alarm : List.copyOf(status.alarms())) {
      if (alarm.isActive()) {
        transitions.clear(sensor, status, alarm, Cause.FORGOTTEN);
      }
    }
    budget.grow(status.gatewayId(), -status.baselineBytes());
    sensor.extension(null);
    transitions.gone(sensor, status);
  }

  /**
   * Processes a slice of the due sensors at the current record; to be called before the upkeep of
   * windows, so that a sensor is silent before it expires.
   *
   * @param slice maximum number of sensors
   * @return the unused part of the slice; 0 if more may be due
   */
  public int upkeep(int slice) {
    int left = slice - review.run(slice);
    for (SilenceWatch watch : watches) {
      if (left > 0) {
        left -=
            watch.report(time, left, (sensor, status) -> silent(sensor, status, watch.afterMs()));
      }
    }
    return left;
  }

  private void silent(SensorWindows sensor, KeptStatus status, long afterMs) {
    if (afterMs == plan.silentAfterMs() && status.state() != SensorState.SILENT) {
      transitions.enter(sensor, status, SensorState.SILENT);
    }
    for (Condition condition : status.conditions().ofSilence()) {
      if (condition.silentAfterMs() == afterMs && !status.isActive(condition)) {
        Alarm alarm = status.findOrAdd(condition);
        alarm.setActive(true, time.appendMs(), time.logMs() - sensor.lastActiveMs());
        transitions.transitioned(
            sensor,
            status,
            new AlarmTransition(alarm, condition.limit(), Alarm.NONE, Cause.EXCEEDED));
      }
    }
  }

  /** To be called after a record: sends the status of each changed sensor once. */
  public void endRecord() {
    transitions.endRecord();
  }

  /** Whether a sensor waits for time to pass. */
  public boolean awaitsTime() {
    return !review.isEmpty() || watches.stream().anyMatch(watch -> !watch.isEmpty());
  }

  /** The numbers of sensors by state, and of active alarms. */
  public StatusCounts counts() {
    return transitions.counts();
  }

  /** The changes to write. */
  public StatusChanges changes() {
    return transitions.changes();
  }

  /** The status of a restored sensor. */
  public KeptStatus restored(SensorWindows sensor) {
    if (sensor.extension() instanceof KeptStatus status) {
      return status;
    }
    KeptStatus status = new KeptStatus(matcher.of(sensor.name()));
    sensor.extension(status);
    return status;
  }

  /** Resumes after the restore of all sensors. Visits all sensors if enabled. */
  public void resume(PartitionWindows windows) {
    watches.forEach(SilenceWatch::clear);
    review.clear();
    transitions.counts().clear();
    gatewayIds.clear();
    budget.clear();
    windows.forEach(isOn() ? this::resume : this::end);
    review.sort();
  }

  /** Ends a status that was stored while this was enabled: its alarms clear, then it is removed. */
  private void end(SensorWindows sensor) {
    if (sensor.extension() instanceof KeptStatus status) {
      transitions.counts().added(status);
      review.add(sensor);
    }
  }

  /**
   * Restores a stored status while this is disabled.
   *
   * @return whether it has active alarms, which clear with the next record
   */
  public boolean restoredWhileOff(SensorWindows sensor) {
    if (restored(sensor).alarms().stream().anyMatch(Alarm::isActive)) {
      return true;
    }
    sensor.extension(null);
    return false;
  }

  private void resume(SensorWindows sensor) {
    KeptStatus status = restored(sensor);
    transitions.counts().added(status);
    status.judgedMs(KeptStatus.UNKNOWN);
    status.gatewayId(interned(status.gatewayId()));
    budget.grow(status.gatewayId(), status.baselineBytes());
    status.awaitNoLonger(-1);
    if (sensor.isAwake()) {
      await(sensor, status);
    }
    review.addIfOutdated(sensor, status);
  }

  /** Drops all state, written or not. */
  public void clear() {
    watches.forEach(SilenceWatch::clear);
    review.clear();
    transitions.clear();
    budget.clear();
    gatewayIds.clear();
    batchGatewayId = "";
  }
}

package io.weir.alarm;

import io.weir.alarm.AlarmTurn.Cause;
import io.weir.window.PartitionTime;
import io.weir.window.PartitionWindows;
import io.weir.window.SensorWindows;
import io.weir.window.Window;
import io.weir.window.WindowSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Status and alarms of the sensors of one partition: hears of windows, batches, silence and
 * forgetting, and tells what turns of it once with the record that brought it. Silence is measured
 * in log time, so an outage of brokers is nobody's. Costs a look at each sensor of a batch. Not
 * safe for several threads.
 */
public final class SensorStatuses {
  private final StatusPlan plan;
  private final PartitionTime time;
  private final Rules.Matcher matcher;
  private final AlarmJudge judge;
  private final List<SilenceWatch> watches = new ArrayList<>();
  private final StatusChanges changes = new StatusChanges();
  private final StatusCounts counts = new StatusCounts();
  private final Map<String, String> gatewayIds = new HashMap<>();

  /** Sensors whose status turned with the record at hand. */
  private final List<SensorWindows> toTell = new ArrayList<>();

  /** Sensors of which something is to be told as settings changed; the next one last. */
  private final List<SensorWindows> toReview = new ArrayList<>();

  private StatusSink sink;
  private String batchGatewayId = "";

  /**
   * @param time of the partition
   */
  public SensorStatuses(StatusPlan plan, PartitionTime time) {
    this.plan = plan;
    this.time = time;
    this.matcher = new Rules.Matcher(plan.rules());
    this.judge = new AlarmJudge(plan.windowSizeMs(), turns());
    List<Long> silencesMs = new ArrayList<>(plan.rules().silencesMs());
    if (!silencesMs.contains(plan.silentAfterMs())) {
      silencesMs.add(plan.silentAfterMs());
    }
    silencesMs.forEach(afterMs -> watches.add(new SilenceWatch(afterMs, watches.size())));
  }

  private AlarmJudge.Turns turns() {
    return new AlarmJudge.Turns() {
      @Override
      public void changed(SensorWindows sensor, KeptStatus status) {
        changes.touched(sensor, status);
      }

      @Override
      public void baselineGrew(SensorWindows sensor, KeptStatus status) {
        changes.baselinesTouched(sensor, status);
      }

      @Override
      public void turned(SensorWindows sensor, KeptStatus status, AlarmTurn turn) {
        SensorStatuses.this.turned(sensor, status, turn);
      }
    };
  }

  /**
   * Whether anything is kept of sensors; else nothing here is to be called but resume and clear.
   */
  public boolean isOn() {
    return plan.isOn();
  }

  public StatusPlan plan() {
    return plan;
  }

  /** Says where turns go. */
  public void tellTo(StatusSink statusSink) {
    sink = statusSink;
  }

  /** A batch is about to be applied. */
  public void beginBatch(String gatewayId) {
    if (!gatewayId.equals(batchGatewayId)) {
      batchGatewayId = interned(gatewayId);
    }
  }

  /** One object for all sensors of a gateway; those of gateways that are gone are dropped. */
  private String interned(String gatewayId) {
    if (gatewayIds.size() > 1000 + 2 * counts.sensors()) {
      gatewayIds.clear();
    }
    String known = gatewayIds.putIfAbsent(gatewayId, gatewayId);
    return known == null ? gatewayId : known;
  }

  /** A batch gave readings to a sensor. */
  void heard(SensorWindows sensor) {
    KeptStatus status = statusOf(sensor);
    if (!status.state().speaks()) {
      turn(
          sensor,
          status,
          status.state() == SensorState.SILENT ? SensorState.RESUMED : SensorState.STARTED);
    }
    for (Condition condition : status.conditions().ofSilence()) {
      if (status.isActive(condition)) {
        clear(sensor, status, status.find(condition), Cause.SPEAKS);
      }
    }
    if (status.gatewayId() != batchGatewayId && !status.gatewayId().equals(batchGatewayId)) {
      status.gatewayId(batchGatewayId);
      changes.touched(sensor, status);
    }
    await(sensor, status);
  }

  /** What is kept of a sensor, made where nothing is. */
  private KeptStatus statusOf(SensorWindows sensor) {
    if (sensor.extension() instanceof KeptStatus status) {
      return status;
    }
    KeptStatus status = new KeptStatus(matcher.of(sensor.name()));
    sensor.extension(status);
    counts.added(status);
    return status;
  }

  /** Waits for each silence with which something would turn. */
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

  /** A sensor is about to be forgotten: alarms that are active go on, nothing else does. */
  void forgetting(SensorWindows sensor) {
    KeptStatus status = statusOf(sensor);
    status.lastTimestampMs(sensor.watermarkMs());
    status.awaitNoLonger(-1);
    turn(sensor, status, SensorState.FINISHED);
    for (Alarm alarm : List.copyOf(status.alarms())) {
      if (alarm.rests() && alarm.isBlank()) {
        status.remove(alarm);
      }
    }
    status.baselines().forEach(baseline -> changes.dropped(sensor, baseline));
    status.dropBaselines();
  }

  /** Nothing is kept of a sensor any more. */
  void purged(SensorWindows sensor) {
    KeptStatus status = statusOf(sensor);
    for (Alarm alarm : List.copyOf(status.alarms())) {
      if (alarm.isActive()) {
        clear(sensor, status, alarm, Cause.FORGOTTEN);
      }
    }
    if (status.unmarkToTell()) {
      toTell.remove(sensor);
    }
    counts.removed(status);
    changes.purged(sensor, status);
    sensor.extension(null);
    if (plan.tellsStatus()) {
      sink.gone(sensor);
    }
  }

  /**
   * Does what is due as of the record at hand, a slice at a time: before windows are, so that a
   * sensor is silent before it is forgotten.
   *
   * @param slice how many sensors are looked at, at the most
   * @return how many more could have been; 0 where more may be due
   */
  public int upkeep(int slice) {
    int left = slice;
    while (left > 0 && !toReview.isEmpty()) {
      review(toReview.remove(toReview.size() - 1));
      left--;
    }
    for (SilenceWatch watch : watches) {
      if (left > 0) {
        left -= watch.tell(time, left, (sensor, status) -> silent(sensor, status, watch.afterMs()));
      }
    }
    return left;
  }

  private void silent(SensorWindows sensor, KeptStatus status, long afterMs) {
    if (afterMs == plan.silentAfterMs() && status.state() != SensorState.SILENT) {
      turn(sensor, status, SensorState.SILENT);
    }
    for (Condition condition : status.conditions().ofSilence()) {
      if (condition.silentAfterMs() == afterMs && !status.isActive(condition)) {
        Alarm alarm = status.findOrAdd(condition);
        alarm.turn(true, time.appendMs(), time.logMs() - sensor.lastActiveMs());
        turned(sensor, status, new AlarmTurn(alarm, condition.limit(), Alarm.NONE, Cause.EXCEEDED));
      }
    }
  }

  /** Settings are others than those that the state was kept with. */
  private void review(SensorWindows sensor) {
    if (!(sensor.extension() instanceof KeptStatus status)) {
      return;
    }
    for (Alarm alarm : List.copyOf(status.alarms())) {
      if (alarm.isOutdated()) {
        review(sensor, status, alarm);
      }
    }
    if (status.state() == SensorState.UNKNOWN) {
      turn(sensor, status, stateOf(sensor));
    } else if (plan.tellsStatus() && !status.isTold()) {
      tellLater(sensor, status);
    }
  }

  /** How a sensor stands of which no state was kept. */
  private SensorState stateOf(SensorWindows sensor) {
    if (!sensor.isAwake()) {
      return SensorState.FINISHED;
    }
    long silentFromMs = WindowSpec.saturatedSum(sensor.lastActiveMs(), plan.silentAfterMs());
    return silentFromMs <= time.logMs() ? SensorState.SILENT : SensorState.STARTED;
  }

  private void review(SensorWindows sensor, KeptStatus status, Alarm alarm) {
    Condition condition = alarm.condition();
    if (condition == null) {
      if (alarm.isActive()) {
        Cause cause = plan.rules().has(alarm.rule()) ? Cause.RULE_CHANGED : Cause.RULE_REMOVED;
        clear(sensor, status, alarm, cause);
      }
      status.remove(alarm);
    } else {
      int priority = alarm.priority();
      alarm.update();
      if (alarm.isActive()) {
        counts.turned(priority, false);
        counts.turned(alarm.priority(), true);
        if (!condition.stillHolds(alarm.value())) {
          clear(sensor, status, alarm, Cause.RULE_CHANGED);
          if (sensor.isAwake()) {
            await(sensor, status);
          }
        }
      } else if (alarm.isBlank()) {
        status.remove(alarm);
      }
    }
    changes.touched(sensor, status);
    tellLater(sensor, status);
  }

  private void clear(SensorWindows sensor, KeptStatus status, Alarm alarm, Cause cause) {
    double limit = alarm.condition() == null ? Double.NaN : alarm.condition().limit();
    alarm.turn(false, time.appendMs(), alarm.value());
    turned(sensor, status, new AlarmTurn(alarm, limit, Alarm.NONE, cause));
  }

  private void turned(SensorWindows sensor, KeptStatus status, AlarmTurn turn) {
    counts.turned(turn.alarm().priority(), turn.alarm().isActive());
    changes.touched(sensor, status);
    sink.turned(sensor, turn);
    tellLater(sensor, status);
  }

  private void turn(SensorWindows sensor, KeptStatus status, SensorState next) {
    if (status.isTurnToTell() && status.unmarkToTell()) {
      // A second turn with the same record: the first one is told too.
      toTell.remove(sensor);
      tell(sensor, status);
    }
    counts.turned(status.state(), next);
    status.turn(next, time.appendMs());
    changes.touched(sensor, status);
    tellLater(sensor, status);
  }

  private void tellLater(SensorWindows sensor, KeptStatus status) {
    status.told(false);
    if (plan.tellsStatus() && status.markToTell()) {
      toTell.add(sensor);
    }
  }

  /** All of a record was applied: tells the status of each sensor that turned, once. */
  public void endRecord() {
    for (SensorWindows sensor : toTell) {
      if (sensor.extension() instanceof KeptStatus status && status.unmarkToTell()) {
        tell(sensor, status);
      }
    }
    toTell.clear();
  }

  private void tell(SensorWindows sensor, KeptStatus status) {
    if (status.state() != SensorState.UNKNOWN) {
      sink.status(sensor, status);
      status.told(true);
    }
  }

  /** Whether something waits for time to pass. */
  public boolean awaitsTime() {
    return !toReview.isEmpty() || watches.stream().anyMatch(watch -> !watch.isEmpty());
  }

  /** How many sensors are in each state, and alarms active. */
  public StatusCounts counts() {
    return counts;
  }

  /** What is to be written. */
  public StatusChanges changes() {
    return changes;
  }

  /** What is kept of a sensor that is put back. */
  public KeptStatus restored(SensorWindows sensor) {
    if (sensor.extension() instanceof KeptStatus status) {
      return status;
    }
    KeptStatus status = new KeptStatus(matcher.of(sensor.name()));
    sensor.extension(status);
    return status;
  }

  /** Goes on after all that was kept has been put back. Walks all sensors where it is on. */
  public void resume(PartitionWindows windows) {
    watches.forEach(SilenceWatch::clear);
    toReview.clear();
    counts.clear();
    gatewayIds.clear();
    if (!isOn()) {
      return;
    }
    windows.forEach(this::resume);
    toReview.sort(Comparator.comparing(SensorWindows::id, Arrays::compareUnsigned).reversed());
  }

  private void resume(SensorWindows sensor) {
    KeptStatus status = restored(sensor);
    counts.added(status);
    status.gatewayId(interned(status.gatewayId()));
    status.awaitNoLonger(-1);
    if (sensor.isAwake()) {
      await(sensor, status);
    }
    if (status.state() == SensorState.UNKNOWN
        || (plan.tellsStatus() && !status.isTold())
        || status.hasOutdatedAlarms()) {
      toReview.add(sensor);
    }
  }

  /** Forgets everything at once, written or not. */
  public void clear() {
    watches.forEach(SilenceWatch::clear);
    toReview.clear();
    toTell.clear();
    changes.clear();
    counts.clear();
    gatewayIds.clear();
    batchGatewayId = "";
  }
}

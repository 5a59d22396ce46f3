package io.weir.internal.alarm;

import io.weir.internal.alarm.AlarmTransition.Cause;
import io.weir.internal.window.Deadlines;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

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

  void withheld(SensorWindows sensor, Window part) {
    judge.withheld(sensor, statusOf(sensor), part);
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

  /**
   * Finds sensors without readings for a duration of log time. A reading costs nothing here. Not
   * safe for several threads.
   */
  static final class SilenceWatch {
    private final long afterMs;

    /** The bit of this watch in a sensor's status. */
    private final int bit;

    private final Deadlines deadlines;

    /**
     * @param number number of the watch, from 0 to 31
     */
    SilenceWatch(long afterMs, int number) {
      this.afterMs = afterMs;
      this.bit = 1 << number;
      this.deadlines =
          new Deadlines(
              afterMs,
              sensor ->
                  sensor.isAwake()
                      ? WindowSpec.saturatedSum(sensor.lastActiveMs(), afterMs)
                      : Deadlines.NEVER);
    }

    long afterMs() {
      return afterMs;
    }

    /** Watches an awake sensor, unless it is watched already. */
    void await(SensorWindows sensor, KeptStatus status) {
      if (!status.awaits(bit)) {
        status.await(bit);
        deadlines.add(sensor);
      }
    }

    /**
     * Reports the sensors that have been silent for the duration.
     *
     * @param most maximum number
     * @return number of reported sensors
     */
    int report(PartitionTime time, int most, BiConsumer<SensorWindows, KeptStatus> silent) {
      int reported = 0;
      SensorWindows sensor;
      while (reported < most && (sensor = deadlines.poll(time.logMs())) != null) {
        if (sensor.extension() instanceof KeptStatus status) {
          status.awaitNoLonger(bit);
          silent.accept(sensor, status);
          reported++;
        }
      }
      return reported;
    }

    boolean isEmpty() {
      return deadlines.isEmpty();
    }

    void clear() {
      deadlines.clear();
    }
  }

  /**
   * Updates the sensors whose stored status is from other settings, in the order of their ids. Not
   * safe for several threads.
   */
  static final class StatusReview {
    private final StatusPlan plan;
    private final PartitionTime time;
    private final StatusTransitions transitions;
    private final BiConsumer<SensorWindows, KeptStatus> awaitSilence;

    /** Waiting sensors; the next one is last. */
    private final List<SensorWindows> waiting = new ArrayList<>();

    /**
     * @param awaitSilence called for an awake sensor whose silence alarm ended
     */
    StatusReview(
        StatusPlan plan,
        PartitionTime time,
        StatusTransitions transitions,
        BiConsumer<SensorWindows, KeptStatus> awaitSilence) {
      this.plan = plan;
      this.time = time;
      this.transitions = transitions;
      this.awaitSilence = awaitSilence;
    }

    /** Adds a restored sensor, if its status is outdated by the settings. */
    void addIfOutdated(SensorWindows sensor, KeptStatus status) {
      if (status.state() == SensorState.UNKNOWN
          || (plan.sendsStatus() && !status.isPublished())
          || status.hasOutdatedAlarms()) {
        waiting.add(sensor);
      }
    }

    /** Adds a sensor. */
    void add(SensorWindows sensor) {
      waiting.add(sensor);
    }

    /** To be called after all sensors were added. */
    void sort() {
      waiting.sort(Comparator.comparing(SensorWindows::id, Arrays::compareUnsigned).reversed());
    }

    /**
     * Reviews sensors.
     *
     * @param most maximum number
     * @return number of reviewed sensors
     */
    int run(int most) {
      int done = 0;
      while (done < most && !waiting.isEmpty()) {
        review(waiting.remove(waiting.size() - 1));
        done++;
      }
      return done;
    }

    boolean isEmpty() {
      return waiting.isEmpty();
    }

    void clear() {
      waiting.clear();
    }

    private void review(SensorWindows sensor) {
      if (!(sensor.extension() instanceof KeptStatus status)) {
        return;
      }
      for (Alarm alarm : List.copyOf(status.alarms())) {
        if (alarm.isOutdated()) {
          review(sensor, status, alarm);
        }
      }
      if (!plan.isOn()) {
        sensor.extension(null);
        transitions.gone(sensor, status);
        return;
      }
      if (status.state() == SensorState.UNKNOWN) {
        transitions.enter(sensor, status, stateOf(sensor));
      } else if (plan.sendsStatus() && !status.isPublished()) {
        transitions.sendLater(sensor, status);
      }
    }

    /** The state of a sensor without a stored state. */
    private SensorState stateOf(SensorWindows sensor) {
      if (!sensor.isAwake()) {
        return SensorState.FINISHED;
      }
      long silentFromMs = WindowSpec.saturatedSum(sensor.lastActiveMs(), plan.silentAfterMs());
      return silentFromMs <= time.logMs() ? SensorState.SILENT : SensorState.STARTED;
    }

    private void review(SensorWindows sensor, KeptStatus status, Alarm alarm) {
      if (alarm.condition() == null) {
        dropRule(sensor, status, alarm);
      } else {
        changeRule(sensor, status, alarm);
      }
      transitions.changed(sensor, status);
      transitions.sendLater(sensor, status);
    }

    private void dropRule(SensorWindows sensor, KeptStatus status, Alarm alarm) {
      if (alarm.isActive()) {
        Cause cause = plan.rules().has(alarm.rule()) ? Cause.RULE_CHANGED : Cause.RULE_REMOVED;
        transitions.clear(sensor, status, alarm, cause);
      }
      status.remove(alarm);
    }

    /** The silence of an expired sensor is not measured, so its alarm stays active. */
    private boolean stillHolds(SensorWindows sensor, Alarm alarm) {
      if (alarm.level() != Level.SILENT) {
        return alarm.condition().stillHolds(alarm.value());
      }
      return !sensor.isAwake()
          || alarm.condition().stillHolds(time.logMs() - sensor.lastActiveMs());
    }

    private void changeRule(SensorWindows sensor, KeptStatus status, Alarm alarm) {
      int priority = alarm.priority();
      boolean changed = alarm.update();
      if (alarm.isActive()) {
        transitions.counts().transitioned(priority, false);
        transitions.counts().transitioned(alarm.priority(), true);
        if (changed && !stillHolds(sensor, alarm)) {
          transitions.clear(sensor, status, alarm, Cause.RULE_CHANGED);
          if (sensor.isAwake()) {
            awaitSilence.accept(sensor, status);
          }
        }
      } else if (alarm.isBlank()) {
        status.remove(alarm);
      }
    }
  }
}

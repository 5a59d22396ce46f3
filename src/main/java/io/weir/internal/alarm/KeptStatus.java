package io.weir.internal.alarm;

import io.weir.internal.window.SensorExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The status of a sensor: its state, the gateway of its last batch, and its alarms. About 50 bytes
 * without alarms. Not safe for several threads.
 */
public final class KeptStatus implements SensorExtension {
  private static final Alarm[] NO_ALARMS = {};

  /**
   * Order of alarms that change at the same time; their order of creation depends on earlier
   * removals.
   */
  private static final Comparator<Alarm> ORDER =
      Comparator.comparing(Alarm::rule).thenComparing(Alarm::level);

  /** The newest judged window is not known since the restore. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private final ConditionSet conditions;
  private SensorState state = SensorState.UNKNOWN;
  private long sinceMs;
  private long lastTimestampMs;
  private String gatewayId = "";
  private Alarm[] alarms = NO_ALARMS;

  /** One for each baseline of the conditions; null if there are none. */
  private Baseline[] baselines;

  /** A bit for each awaited silence. */
  private int awaited;

  /** The status topic has the current status. */
  private boolean published;

  /**
   * A batch of its gateway changes nothing, and all silences that may change the status are
   * awaited.
   */
  private boolean settled;

  /** Start of the newest window that rules have judged, where one is kept; not stored. */
  private long judgedMs = UNKNOWN;

  private boolean toSend;
  private boolean changeToSend;
  private boolean dirty;

  /** Changes other than baselines since it was last written. */
  private boolean headChanged;

  KeptStatus(ConditionSet conditions) {
    this.conditions = conditions;
  }

  /** Restores a status from values of the getters. */
  public void restore(
      SensorState keptState,
      long keptSinceMs,
      long keptLastTimestampMs,
      boolean wasPublished,
      String keptGatewayId,
      List<Alarm> keptAlarms) {
    settled = false;
    state = keptState;
    sinceMs = keptSinceMs;
    lastTimestampMs = keptLastTimestampMs;
    published = wasPublished;
    gatewayId = keptGatewayId;
    alarms = keptAlarms.toArray(Alarm[]::new);
    Arrays.sort(alarms, ORDER);
    for (Alarm alarm : alarms) {
      alarm.condition(conditions.find(alarm.rule(), alarm.level()));
    }
  }

  long judgedMs() {
    return judgedMs;
  }

  void judgedMs(long startMs) {
    judgedMs = startMs;
  }

  public SensorState state() {
    return state;
  }

  /** Append time of the record with which its state began. */
  public long sinceMs() {
    return sinceMs;
  }

  /** The newest event time before it expired; undefined before that. */
  public long lastTimestampMs() {
    return lastTimestampMs;
  }

  /** Gateway of its last batch; empty for a batch without a gateway, or if unknown. */
  public String gatewayId() {
    return gatewayId;
  }

  /** Alarms that were ever active, or whose condition is exceeded, by rule and level. */
  public List<Alarm> alarms() {
    return Arrays.asList(alarms);
  }

  /** Whether the status topic has the current status. */
  public boolean isPublished() {
    return published;
  }

  void published(boolean isOnTopic) {
    published = isOnTopic;
  }

  void gatewayId(String id) {
    gatewayId = id;
  }

  void enter(SensorState next, long atMs) {
    settled = false;
    state = next;
    sinceMs = atMs;
    changeToSend = true;
  }

  void lastTimestampMs(long timestampMs) {
    lastTimestampMs = timestampMs;
  }

  ConditionSet conditions() {
    return conditions;
  }

  /** The alarm of a condition, or null. */
  Alarm find(Condition condition) {
    for (Alarm alarm : alarms) {
      if (alarm.condition() == condition) {
        return alarm;
      }
    }
    return null;
  }

  Alarm findOrAdd(Condition condition) {
    settled = false;
    Alarm alarm = find(condition);
    if (alarm == null) {
      alarm = new Alarm(condition);
      alarm.condition(condition);
      alarms = Arrays.copyOf(alarms, alarms.length + 1);
      alarms[alarms.length - 1] = alarm;
      Arrays.sort(alarms, ORDER);
    }
    return alarm;
  }

  void remove(Alarm alarm) {
    settled = false;
    List<Alarm> left = new ArrayList<>(Arrays.asList(alarms));
    left.remove(alarm);
    alarms = left.isEmpty() ? NO_ALARMS : left.toArray(Alarm[]::new);
  }

  boolean isActive(Condition condition) {
    Alarm alarm = find(condition);
    return alarm != null && alarm.isActive();
  }

  boolean hasOutdatedAlarms() {
    for (Alarm alarm : alarms) {
      if (alarm.isOutdated()) {
        return true;
      }
    }
    return false;
  }

  /** The baseline of a deviation, created on first use; null if unknown. */
  public Baseline baseline(BaselineSpec spec) {
    BaselineSpec[] specs = conditions.baselines();
    for (int i = 0; i < specs.length; i++) {
      if (specs[i].equals(spec)) {
        if (baselines == null) {
          baselines = new Baseline[specs.length];
        }
        if (baselines[i] == null) {
          baselines[i] = new Baseline(spec);
        }
        return baselines[i];
      }
    }
    return null;
  }

  /** The created baselines. */
  public List<Baseline> baselines() {
    List<Baseline> made = new ArrayList<>();
    for (int i = 0; baselines != null && i < baselines.length; i++) {
      if (baselines[i] != null) {
        made.add(baselines[i]);
      }
    }
    return made;
  }

  /** Their approximate memory. */
  long baselineBytes() {
    long bytes = 0;
    for (int i = 0; baselines != null && i < baselines.length; i++) {
      bytes += baselines[i] == null ? 0 : baselines[i].bytes();
    }
    return bytes;
  }

  void dropBaselines() {
    baselines = null;
  }

  boolean awaits(int bits) {
    return (awaited & bits) == bits;
  }

  void await(int bits) {
    awaited |= bits;
  }

  void awaitNoLonger(int bits) {
    settled = false;
    awaited &= ~bits;
  }

  /** A batch was applied, with all resulting changes of state. */
  void settle() {
    settled = true;
  }

  /**
   * Whether a batch of its gateway changes nothing, because only batches arrived since the last
   * one.
   */
  boolean isSettled() {
    return settled;
  }

  /** Marks a change; returns whether there was none before. */
  boolean markDirty() {
    boolean first = !dirty;
    dirty = true;
    return first;
  }

  void headChanged() {
    headChanged = true;
  }

  /** Whether there are changes other than baselines since it was last written. */
  public boolean isHeadChanged() {
    return headChanged;
  }

  /** Marks it as written. */
  public void written() {
    dirty = false;
    headChanged = false;
  }

  /** Marks it to be sent; returns whether it was not marked before. */
  boolean markToSend() {
    boolean first = !toSend;
    toSend = true;
    return first;
  }

  /** Removes the mark; returns whether it was marked. */
  boolean unmarkToSend() {
    boolean was = toSend;
    toSend = false;
    changeToSend = false;
    return was;
  }

  /** Whether a change of its state must still be sent. */
  boolean isChangeToSend() {
    return changeToSend;
  }
}

package io.weir.alarm;

import io.weir.window.SensorExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What is kept of a sensor beside its windows: its state, the gateway it came from last, and its
 * alarms. About 50 bytes where it has no alarm. Not safe for several threads.
 */
public final class KeptStatus implements SensorExtension {
  private static final Alarm[] NO_ALARMS = {};

  /** Of alarms that change at one time; when each came depends on what was removed before. */
  private static final Comparator<Alarm> ORDER =
      Comparator.comparing(Alarm::rule).thenComparing(Alarm::level);

  private final ConditionSet conditions;
  private SensorState state = SensorState.UNKNOWN;
  private long sinceMs;
  private long lastTimestampMs;
  private String gatewayId = "";
  private Alarm[] alarms = NO_ALARMS;

  /** One for each that the conditions have; null where there are none. */
  private Baseline[] baselines;

  /** A bit for each silence that is awaited. */
  private int awaited;

  /** The topic of status has it as it is. */
  private boolean published;

  /**
   * A batch of its gateway changes nothing, and every silence that may change something is awaited.
   */
  private boolean settled;

  private boolean toSend;
  private boolean changeToSend;
  private boolean dirty;

  /** More than its baselines changed since it was last written. */
  private boolean headChanged;

  KeptStatus(ConditionSet conditions) {
    this.conditions = conditions;
  }

  /** Goes on from what the getters once gave. */
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

  public SensorState state() {
    return state;
  }

  /** Append time of the record with which its state began. */
  public long sinceMs() {
    return sinceMs;
  }

  /** The newest event time it reported before it was forgotten; meaningless before that. */
  public long lastTimestampMs() {
    return lastTimestampMs;
  }

  /** Who sent its last batch; empty for a batch without a gateway, or where it is not known. */
  public String gatewayId() {
    return gatewayId;
  }

  /** Those that were ever active, or whose windows exceed their condition, by rule and level. */
  public List<Alarm> alarms() {
    return Arrays.asList(alarms);
  }

  /** Whether what is on the topic of status is what is kept here. */
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

  /** What a deviation is measured against, made where it is asked for first; null if unknown. */
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

  /** Those that were made. */
  public List<Baseline> baselines() {
    List<Baseline> made = new ArrayList<>();
    for (int i = 0; baselines != null && i < baselines.length; i++) {
      if (baselines[i] != null) {
        made.add(baselines[i]);
      }
    }
    return made;
  }

  /** What they take in memory, nearly. */
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

  /** A batch was applied, with all changes of state that follow from it. */
  void settle() {
    settled = true;
  }

  /**
   * Whether a batch of its gateway changes nothing: nothing but batches came since the last one.
   */
  boolean isSettled() {
    return settled;
  }

  /** Returns whether nothing of it was to be written before. */
  boolean markDirty() {
    boolean first = !dirty;
    dirty = true;
    return first;
  }

  void headChanged() {
    headChanged = true;
  }

  /** Whether more than its baselines changed since it was last written. */
  public boolean isHeadChanged() {
    return headChanged;
  }

  /** Says that it was written. */
  public void written() {
    dirty = false;
    headChanged = false;
  }

  /** Marks it as to be sent; returns whether it was not marked before. */
  boolean markToSend() {
    boolean first = !toSend;
    toSend = true;
    return first;
  }

  /** Removes the mark; returns whether it was there. */
  boolean unmarkToSend() {
    boolean was = toSend;
    toSend = false;
    changeToSend = false;
    return was;
  }

  /** Whether a change of its state is still to be sent. */
  boolean isChangeToSend() {
    return changeToSend;
  }
}

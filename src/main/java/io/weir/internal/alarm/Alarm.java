package io.weir.internal.alarm;

/**
 * The alarm of one sensor and one condition: its state, and the start of the windows that exceed
 * the condition. Not safe for several threads.
 */
public final class Alarm {
  /** Represents an unknown time. */
  public static final long NONE = Long.MIN_VALUE;

  private final String rule;
  private final Level level;
  private int priority;
  private long fingerprint;

  /** Null if the sensor no longer has the condition. */
  private Condition condition;

  private long onsetMs = NONE;
  private long lastMs = NONE;
  private boolean active;
  private long sinceMs = NONE;
  private double value;

  Alarm(Condition condition) {
    this(condition.rule(), condition.level(), condition.priority(), condition.fingerprint(), false);
    this.condition = condition;
  }

  private Alarm(String rule, Level level, int priority, long fingerprint, boolean active) {
    this.rule = rule;
    this.level = level;
    this.priority = priority;
    this.fingerprint = fingerprint;
    this.active = active;
  }

  /** Restores an alarm from values of the getters. */
  public static Alarm restored(
      String rule,
      Level level,
      int priority,
      long fingerprint,
      boolean active,
      long onsetMs,
      long lastMs,
      long sinceMs,
      double value) {
    Alarm alarm = new Alarm(rule, level, priority, fingerprint, active);
    alarm.onsetMs = onsetMs;
    alarm.lastMs = lastMs;
    alarm.sinceMs = sinceMs;
    alarm.value = value;
    return alarm;
  }

  /**
   * Sets its condition, or null if there is none. If the meaning has changed, the series of
   * exceeding windows ends before another window is judged.
   */
  void condition(Condition found) {
    condition = found;
    if (condition != null && conditionChanged()) {
      onsetMs = NONE;
    }
  }

  Condition condition() {
    return condition;
  }

  /** Whether the rules have changed since it was written. */
  boolean isOutdated() {
    return condition == null || priority != condition.priority() || conditionChanged();
  }

  private boolean conditionChanged() {
    return condition.fingerprint() != fingerprint;
  }

  /**
   * Applies the current condition.
   *
   * @return whether its meaning has changed
   */
  boolean update() {
    boolean changed = conditionChanged();
    fingerprint = condition.fingerprint();
    priority = condition.priority();
    return changed;
  }

  /**
   * Consecutive windows exceed the condition, from the start of the first to the start of the
   * newest.
   */
  void exceeds(long firstStartMs, long lastStartMs) {
    if (onsetMs == NONE) {
      fingerprint = condition.fingerprint();
    }
    onsetMs = firstStartMs;
    lastMs = lastStartMs;
  }

  /**
   * Windows no longer exceed the condition.
   *
   * @return whether they exceeded it before
   */
  boolean doesNotExceed() {
    boolean before = onsetMs != NONE;
    onsetMs = NONE;
    return before;
  }

  void setActive(boolean becomesActive, long atMs, double withValue) {
    if (becomesActive) {
      fingerprint = condition.fingerprint();
    }
    active = becomesActive;
    sinceMs = atMs;
    value = withValue;
    onsetMs = NONE;
  }

  /** Whether it has no state to store. */
  boolean isBlank() {
    return onsetMs == NONE && sinceMs == NONE;
  }

  /** The name of its rule. */
  public String rule() {
    return rule;
  }

  public Level level() {
    return level;
  }

  /** 0 is the most urgent. */
  public int priority() {
    return priority;
  }

  /** {@link Condition#fingerprint} of the condition that was applied last. */
  public long fingerprint() {
    return fingerprint;
  }

  public boolean isActive() {
    return active;
  }

  /**
   * The start of the first of the consecutive closed windows that exceed the condition, before it
   * is active.
   */
  public long onsetMs() {
    return onsetMs;
  }

  /** The start of the last of them; undefined if there are none. */
  public long lastMs() {
    return lastMs;
  }

  /**
   * Time of the last transition: the end of a window, else an append time; {@link #NONE} if never.
   */
  public long sinceMs() {
    return sinceMs;
  }

  /** The value with which it became active or cleared. */
  public double value() {
    return value;
  }
}

package io.weir.alarm;

/**
 * What is kept of a sensor and one condition: since when windows exceed it, and how the alarm is.
 * Not safe for several threads.
 */
public final class Alarm {
  /** Of times that are not known. */
  public static final long NONE = Long.MIN_VALUE;

  private final String rule;
  private final Level level;
  private int priority;
  private long fingerprint;

  /** Null where the sensor has no such condition any more. */
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

  /** Goes on from what the getters once gave. */
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

  /** Finds its condition again; null where there is none. */
  void condition(Condition found) {
    condition = found;
  }

  Condition condition() {
    return condition;
  }

  /** Whether the rules say something else than when it was written. */
  boolean isOutdated() {
    return condition == null || priority != condition.priority() || meansAnother();
  }

  private boolean meansAnother() {
    return condition.fingerprint() != fingerprint;
  }

  /**
   * From now on the condition as it is counts. What began under one that meant something else does
   * not go on.
   *
   * @return whether it meant something else
   */
  boolean update() {
    boolean another = meansAnother();
    if (another) {
      fingerprint = condition.fingerprint();
      onsetMs = NONE;
    }
    priority = condition.priority();
    return another;
  }

  /** Windows exceed the condition, one after the other, from the start of one to the newest's. */
  void exceeds(long firstStartMs, long lastStartMs) {
    onsetMs = firstStartMs;
    lastMs = lastStartMs;
  }

  /**
   * Windows do not exceed it any more.
   *
   * @return whether they did
   */
  boolean doesNotExceed() {
    boolean before = onsetMs != NONE;
    onsetMs = NONE;
    return before;
  }

  void setActive(boolean becomesActive, long atMs, double withValue) {
    active = becomesActive;
    sinceMs = atMs;
    value = withValue;
    onsetMs = NONE;
  }

  /** Whether nothing of it is worth being kept. */
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

  /** {@link Condition#fingerprint} of what it was judged by. */
  public long fingerprint() {
    return fingerprint;
  }

  public boolean isActive() {
    return active;
  }

  /**
   * The start of the first of the closed windows that exceed the condition one after the other,
   * while it is not yet active.
   */
  public long onsetMs() {
    return onsetMs;
  }

  /** The start of the last of them; meaningless where there are none. */
  public long lastMs() {
    return lastMs;
  }

  /** When it became so: the end of a window, else an append time; {@link #NONE} if never. */
  public long sinceMs() {
    return sinceMs;
  }

  /** The value with which it became active or cleared. */
  public double value() {
    return value;
  }
}

package io.weir.alarm;

import io.weir.alarm.AlarmTurn.Cause;
import io.weir.alarm.Condition.Finding;
import io.weir.alarm.Condition.Judgement;
import io.weir.window.SensorWindows;
import io.weir.window.Window;

/**
 * Holds windows against the conditions of their sensors. Every window is judged once, at its close,
 * in the order of its sensor's windows; one that is emitted as idle may raise an alarm and clears
 * none. What turns is a function of the windows as they close. A window without good readings says
 * nothing. Not safe for several threads.
 */
final class AlarmJudge {
  private final long windowSizeMs;
  private final Turns turns;

  /** Receives every change. */
  interface Turns {
    /** Something of the kept status changed that is to be written. */
    void changed(SensorWindows sensor, KeptStatus status);

    /** A baseline took a window. */
    void baselineGrew(SensorWindows sensor, KeptStatus status);

    /** An alarm turned. */
    void turned(SensorWindows sensor, KeptStatus status, AlarmTurn turn);
  }

  AlarmJudge(long windowSizeMs, Turns turns) {
    this.windowSizeMs = windowSizeMs;
    this.turns = turns;
  }

  /** A window was closed. */
  void closed(SensorWindows sensor, KeptStatus status, Window window) {
    if (window.count() == 0) {
      return;
    }
    for (Condition condition : status.conditions().ofWindows()) {
      judge(sensor, status, condition, window, true);
    }
    for (BaselineSpec spec : status.conditions().baselines()) {
      double value = spec.of().in(window);
      if (Double.isFinite(value)) {
        status.baseline(spec).add(number(window), value);
        turns.baselineGrew(sensor, status);
      }
    }
  }

  /** A window was emitted as its sensor fell silent; it may go on. */
  void idle(SensorWindows sensor, KeptStatus status, Window window) {
    if (window.count() == 0) {
      return;
    }
    for (Condition condition : status.conditions().ofWindows()) {
      judge(sensor, status, condition, window, false);
    }
  }

  private long number(Window window) {
    return Math.floorDiv(window.startMs(), windowSizeMs);
  }

  private void judge(
      SensorWindows sensor, KeptStatus status, Condition condition, Window window, boolean closed) {
    Judgement judgement = judgement(status, condition, window);
    if (judgement.finding() == Finding.EXCEEDS) {
      exceeds(sensor, status, condition, window, judgement);
    } else if (closed) {
      rests(sensor, status, condition, window, judgement);
    }
  }

  private Judgement judgement(KeptStatus status, Condition condition, Window window) {
    return condition.baseline() == null
        ? condition.judge(window)
        : condition.judge(window, status.baseline(condition.baseline()).before(number(window)));
  }

  private void exceeds(
      SensorWindows sensor,
      KeptStatus status,
      Condition condition,
      Window window,
      Judgement judgement) {
    Alarm alarm = status.findOrAdd(condition);
    if (alarm.isActive()) {
      return;
    }
    if (alarm.exceeds(window.startMs())) {
      turns.changed(sensor, status);
    }
    if (hasExceededFor(sensor, status, alarm, window) >= condition.onDelayMs()) {
      turn(sensor, status, alarm, true, window, judgement);
    }
  }

  /**
   * For how long windows have exceeded it up to the end of one. Where that is open, windows before
   * it may be open too: they were not judged yet, and one that does not exceed breaks the row.
   */
  private long hasExceededFor(SensorWindows sensor, KeptStatus status, Alarm alarm, Window window) {
    Condition condition = alarm.condition();
    long endMs = window.startMs() + windowSizeMs;
    long sinceMs = window.startMs();
    for (int i = sensor.indexFrom(sinceMs) - 1; i >= 0; i--) {
      Window earlier = sensor.window(i);
      boolean isLongEnough = endMs - sinceMs >= condition.onDelayMs();
      if (earlier.closed() || earlier.startMs() < alarm.onsetMs() || isLongEnough) {
        break;
      }
      if (earlier.count() > 0) {
        if (judgement(status, condition, earlier).finding() != Finding.EXCEEDS) {
          return endMs - sinceMs;
        }
        sinceMs = earlier.startMs();
      }
    }
    return endMs - alarm.onsetMs();
  }

  private void rests(
      SensorWindows sensor,
      KeptStatus status,
      Condition condition,
      Window window,
      Judgement judgement) {
    Alarm alarm = status.find(condition);
    if (alarm == null) {
      return;
    }
    if (alarm.isActive()) {
      if (judgement.finding() == Finding.INSIDE) {
        turn(sensor, status, alarm, false, window, judgement);
      }
    } else if (alarm.rests()) {
      if (alarm.isBlank()) {
        status.remove(alarm);
      }
      turns.changed(sensor, status);
    }
  }

  private void turn(
      SensorWindows sensor,
      KeptStatus status,
      Alarm alarm,
      boolean active,
      Window window,
      Judgement judgement) {
    alarm.turn(active, window.startMs() + windowSizeMs, judgement.value());
    Cause cause = active ? Cause.EXCEEDED : Cause.INSIDE;
    turns.turned(sensor, status, new AlarmTurn(alarm, judgement.limit(), window.startMs(), cause));
  }
}

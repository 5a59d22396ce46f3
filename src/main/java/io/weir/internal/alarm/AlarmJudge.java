package io.weir.internal.alarm;

import io.weir.internal.alarm.AlarmTransition.Cause;
import io.weir.internal.alarm.Condition.Finding;
import io.weir.internal.alarm.Condition.Judgement;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;

/**
 * Compares windows with the conditions of their sensors. Each window is judged once, at its close,
 * in the order of its sensor's windows; one that is emitted as idle can raise an alarm but not
 * clear one, and so can withheld readings. The transitions are a function of the closed windows and
 * of the batches of withheld readings. A window without good readings is ignored, and so is one
 * that is older than a judged one: it can open after the grace period was increased. Not safe for
 * several threads.
 */
final class AlarmJudge {
  private final long windowSizeMs;
  private final Transitions transitions;
  private final BaselineBudget budget;

  /** Receives all changes. */
  interface Transitions {
    /** The stored status changed and must be written. */
    void changed(SensorWindows sensor, KeptStatus status);

    /** A window was added to a baseline. */
    void baselineGrew(SensorWindows sensor, KeptStatus status);

    /** An alarm became active or cleared. */
    void transitioned(SensorWindows sensor, KeptStatus status, AlarmTransition transition);
  }

  AlarmJudge(long windowSizeMs, Transitions transitions, BaselineBudget budget) {
    this.windowSizeMs = windowSizeMs;
    this.transitions = transitions;
    this.budget = budget;
  }

  /** A window was closed. */
  void closed(SensorWindows sensor, KeptStatus status, Window window) {
    if (window.count() == 0) {
      return;
    }
    if (isNext(sensor, status, window)) {
      for (Condition condition : status.conditions().ofWindows()) {
        judge(sensor, status, condition, window, true);
      }
      window.judge();
      status.judgedMs(window.startMs());
    }
    for (BaselineSpec spec : status.conditions().baselines()) {
      double value = spec.of().in(window);
      if (Double.isFinite(value)) {
        add(status, spec, number(window), value);
        transitions.baselineGrew(sensor, status);
      }
    }
  }

  /** A window that does not fit the budget is not added to the baseline. */
  void add(KeptStatus status, BaselineSpec spec, long windowNumber, double value) {
    Baseline baseline = status.baseline(spec);
    long before = baseline.bytes();
    boolean isKept = baseline.makeRoom(windowNumber);
    budget.grow(status.gatewayId(), baseline.bytes() - before);
    long more = baseline.bytesFor(windowNumber);
    if (isKept && (more == 0 || budget.hasRoom(status.gatewayId(), more))) {
      baseline.put(windowNumber, value);
      budget.grow(status.gatewayId(), more);
    }
  }

  /** A window was emitted because its sensor is idle; it is still open. */
  void idle(SensorWindows sensor, KeptStatus status, Window window) {
    if (window.count() == 0 || !isNext(sensor, status, window)) {
      return;
    }
    for (Condition condition : status.conditions().ofWindows()) {
      judge(sensor, status, condition, window, false);
    }
  }

  /**
   * A batch has readings of a window that is withheld: they can exceed a limit, whatever the window
   * lacks. They clear nothing, and say nothing about deviations.
   */
  void withheld(SensorWindows sensor, KeptStatus status, Window part) {
    if (part.count() == 0 || !isNext(sensor, status, part)) {
      return;
    }
    for (Condition condition : status.conditions().ofWindows()) {
      Alarm alarm = status.find(condition);
      boolean isBehind =
          alarm != null && alarm.onsetMs() != Alarm.NONE && part.startMs() < alarm.lastMs();
      if (condition.baseline() == null && !isBehind) {
        Judgement judgement = condition.judge(part);
        if (judgement.finding() == Finding.EXCEEDS) {
          exceeds(sensor, status, condition, part, judgement, true);
        } else if (alarm != null && !alarm.isActive() && part.startMs() > alarm.lastMs()) {
          endSeries(sensor, status, alarm);
        }
      }
    }
  }

  /** Whether a window is newer than all judged ones that are kept. */
  private static boolean isNext(SensorWindows sensor, KeptStatus status, Window window) {
    if (status.judgedMs() == KeptStatus.UNKNOWN) {
      int newest = sensor.windows() - 1;
      while (newest >= 0 && !sensor.window(newest).isJudged()) {
        newest--;
      }
      status.judgedMs(newest < 0 ? Long.MIN_VALUE : sensor.window(newest).startMs());
    }
    return window.startMs() > status.judgedMs();
  }

  private long number(Window window) {
    return Math.floorDiv(window.startMs(), windowSizeMs);
  }

  private void judge(
      SensorWindows sensor, KeptStatus status, Condition condition, Window window, boolean closed) {
    Judgement judgement = judgement(status, condition, window);
    if (judgement.finding() == Finding.EXCEEDS) {
      exceeds(sensor, status, condition, window, judgement, closed);
    } else if (closed) {
      doesNotExceed(sensor, status, condition, window, judgement);
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
      Judgement judgement,
      boolean closed) {
    Alarm alarm = status.find(condition);
    if (alarm != null && alarm.isActive()) {
      return;
    }
    long onsetMs = onset(sensor, status, condition, window);
    if (window.startMs() + windowSizeMs - onsetMs >= condition.onDelayMs()) {
      setActive(sensor, status, status.findOrAdd(condition), true, window, judgement);
    } else if (closed) {
      status.findOrAdd(condition).exceeds(onsetMs, window.startMs());
      transitions.changed(sensor, status);
    }
  }

  /**
   * The start of the first of the consecutive windows up to this one that exceed a condition. If
   * this one is open, earlier ones may be open too, and were not judged yet. A window that does not
   * exceed ends the series, and so does a gap that is too long.
   */
  private long onset(SensorWindows sensor, KeptStatus status, Condition condition, Window window) {
    long onsetMs = window.startMs();
    for (int i = sensor.indexFrom(onsetMs) - 1; i >= 0 && !sensor.window(i).isJudged(); i--) {
      Window earlier = sensor.window(i);
      if (earlier.count() > 0 && !earlier.closed()) {
        if (!follows(earlier.startMs(), onsetMs, condition)
            || judgement(status, condition, earlier).finding() != Finding.EXCEEDS) {
          return onsetMs;
        }
        onsetMs = earlier.startMs();
      }
    }
    Alarm alarm = status.find(condition);
    boolean continues =
        alarm != null
            && alarm.onsetMs() != Alarm.NONE
            && follows(alarm.lastMs(), onsetMs, condition);
    return continues ? alarm.onsetMs() : onsetMs;
  }

  private boolean follows(long earlierStartMs, long startMs, Condition condition) {
    return startMs - earlierStartMs - windowSizeMs <= condition.onDelayGapMs();
  }

  private void doesNotExceed(
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
        setActive(sensor, status, alarm, false, window, judgement);
      }
    } else {
      endSeries(sensor, status, alarm);
    }
  }

  private void endSeries(SensorWindows sensor, KeptStatus status, Alarm alarm) {
    if (alarm.doesNotExceed()) {
      if (alarm.isBlank()) {
        status.remove(alarm);
      }
      transitions.changed(sensor, status);
    }
  }

  private void setActive(
      SensorWindows sensor,
      KeptStatus status,
      Alarm alarm,
      boolean active,
      Window window,
      Judgement judgement) {
    alarm.setActive(active, window.startMs() + windowSizeMs, judgement.value());
    Cause cause = active ? Cause.EXCEEDED : Cause.INSIDE;
    transitions.transitioned(
        sensor, status, new AlarmTransition(alarm, judgement.limit(), window.startMs(), cause));
  }
}

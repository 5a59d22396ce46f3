package io.weir.internal.window;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import java.util.ArrayList;
import java.util.List;

/** Writes down what is emitted, a line each, as it is at that moment. */
public final class Emissions implements WindowSink {
  private final List<String> lines = new ArrayList<>();

  @Override
  public void emit(SensorWindows sensor, Window window, CloseReason reason) {
    lines.add(
        sensor.name()
            + "@"
            + window.startMs()
            + " "
            + reason
            + " r"
            + window.revision()
            + " n"
            + window.count()
            + " bad"
            + window.badCount()
            + " sum"
            + window.sum()
            + " min"
            + window.min()
            + " max"
            + window.max()
            + describe(window));
  }

  private static String describe(Aggregate window) {
    Statistics statistics = window.statistics();
    if (statistics == null) {
      return "";
    }
    StringBuilder text = new StringBuilder(" sets" + statistics.sets());
    if (window.count() == 0) {
      return text.toString();
    }
    if (statistics.has(StatisticSet.FIRST_LAST)) {
      text.append(" first").append(statistics.first()).append('@');
      text.append(statistics.firstTimestampMs());
      text.append(" last").append(statistics.last()).append('@');
      text.append(statistics.lastTimestampMs());
    }
    if (statistics.has(StatisticSet.VARIANCE)) {
      text.append(" m2 ").append(window.m2());
    }
    text.append(' ').append(statistics.histogram());
    if (statistics.has(StatisticSet.QUALITY)) {
      text.append(" uncertain").append(statistics.uncertainCount());
    }
    if (statistics.hasSums()) {
      text.append(" integral").append(statistics.integral());
      text.append(" increase").append(statistics.increase());
      text.append(" resets").append(statistics.resets());
    }
    return text.toString();
  }

  @Override
  public void emit(SensorWindows sensor, Rollup rollup, Aggregate values, CloseReason reason) {
    add(sensor, rollup, "+", values, reason);
  }

  @Override
  public void emit(SensorWindows sensor, Hop hop, Aggregate values, CloseReason reason) {
    add(sensor, hop, "~", values, reason);
  }

  private void add(
      SensorWindows sensor, WideSpan span, String kind, Aggregate values, CloseReason reason) {
    lines.add(
        sensor.name()
            + "@"
            + span.startMs()
            + kind
            + span.sizeMs()
            + " "
            + reason
            + " r"
            + span.revision()
            + " n"
            + values.count()
            + " bad"
            + values.badCount()
            + " sum"
            + values.sum()
            + " min"
            + values.min()
            + " max"
            + values.max()
            + describe(values));
  }

  @Override
  public void leftOut(Omission what) {
    lines.add("left out " + what + " min");
  }

  /** What was emitted since the last call, in its order. */
  public List<String> take() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  /** As {@link #take}, without min and max. */
  public List<String> brief() {
    return take().stream().map(line -> line.substring(0, line.indexOf(" min"))).toList();
  }
}

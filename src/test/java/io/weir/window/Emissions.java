package io.weir.window;

import java.util.ArrayList;
import java.util.List;

/** Writes down what is emitted, a line each, as it stands at that moment. */
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
            + window.max());
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

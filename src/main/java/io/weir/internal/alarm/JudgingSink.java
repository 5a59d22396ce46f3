package io.weir.internal.alarm;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Hop;
import io.weir.internal.window.Omission;
import io.weir.internal.window.Rollup;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSink;
import io.weir.internal.window.aggregate.Aggregate;

/** Forwards all calls, and updates status and alarms. Not safe for several threads. */
public final class JudgingSink implements WindowSink {
  private final WindowSink next;
  private final SensorStatuses statuses;

  public JudgingSink(WindowSink next, SensorStatuses statuses) {
    this.next = next;
    this.statuses = statuses;
  }

  @Override
  public void emit(SensorWindows sensor, Window window, CloseReason reason) {
    next.emit(sensor, window, reason);
    if (reason == CloseReason.IDLE) {
      statuses.idle(sensor, window);
    }
  }

  @Override
  public void emit(SensorWindows sensor, Rollup rollup, Aggregate values, CloseReason reason) {
    next.emit(sensor, rollup, values, reason);
  }

  @Override
  public void emit(SensorWindows sensor, Hop hop, Aggregate values, CloseReason reason) {
    next.emit(sensor, hop, values, reason);
  }

  @Override
  public void leftOut(Omission what) {
    next.leftOut(what);
  }

  @Override
  public void closed(SensorWindows sensor, Window window) {
    statuses.closed(sensor, window);
    next.closed(sensor, window);
  }

  @Override
  public void received(SensorWindows sensor) {
    statuses.received(sensor);
    next.received(sensor);
  }

  @Override
  public void withheld(SensorWindows sensor, Window part) {
    statuses.withheld(sensor, part);
    next.withheld(sensor, part);
  }

  @Override
  public void forgetting(SensorWindows sensor) {
    statuses.forgetting(sensor);
    next.forgetting(sensor);
  }

  @Override
  public void purged(SensorWindows sensor) {
    statuses.purged(sensor);
    next.purged(sensor);
  }
}

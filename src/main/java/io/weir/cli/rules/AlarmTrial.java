package io.weir.cli.rules;

import io.weir.internal.alarm.JudgingSink;
import io.weir.internal.alarm.SensorStatuses;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.alarm.StatusSink;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.PartitionTime;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.Reading;
import io.weir.reading.ReadingColumns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A recording through the windows and alarms of the application, as if each reading had come at its
 * own time: time that passes without readings passes in the steps of ticks. One thread.
 */
public final class AlarmTrial {
  private static final int SLICE = 10_000;

  private final PartitionWindows windows;
  private final PartitionTime time;
  private final SensorStatuses statuses;
  private final JudgingSink sink;
  private final ReadingColumns batch = new ReadingColumns();
  private final long tickMs;
  private long nowMs = Long.MIN_VALUE;

  /**
   * @param sink receives every change, in order
   */
  public AlarmTrial(WindowSpec spec, StatusPlan plan, StatusSink sink) {
    this.windows = new PartitionWindows(spec, WindowLimits.ofSensors(Integer.MAX_VALUE));
    this.time = new PartitionTime(spec.idleTimeoutMs());
    this.statuses = new SensorStatuses(plan, time);
    this.sink = new JudgingSink((sensor, window, reason) -> {}, statuses);
    this.tickMs = Math.max(1, spec.idleTimeoutMs() / 3);
    statuses.sendTo(sink);
  }

  /** Takes a reading; its time is that of the one before, or later. */
  public void take(Reading reading) {
    passUntil(reading.timestampMs());
    byte[] id = reading.sensorId().getBytes(StandardCharsets.UTF_8);
    batch.start(id);
    batch.row(0, id.length, reading.timestampMs(), reading.value(), reading.quality().number());
    time.observe(nowMs);
    windows.recognise(batch);
    windows.apply(batch, time.logMs(), sink);
    upkeep();
  }

  private void passUntil(long untilMs) {
    while (nowMs != Long.MIN_VALUE && nowMs + tickMs < untilMs) {
      nowMs += tickMs;
      time.observe(nowMs);
      upkeep();
    }
    nowMs = untilMs;
  }

  private void upkeep() {
    boolean workLeft = true;
    while (workLeft) {
      int left = statuses.upkeep(SLICE);
      workLeft = left <= 0 || windows.upkeep(time, left, sink);
      statuses.endRecord();
    }
    statuses.changes().clear();
    forgetChanges();
  }

  /** Nothing is written anywhere: a sensor that is purged must not be looked for among changes. */
  private void forgetChanges() {
    for (SensorWindows sensor : windows.changes().touched()) {
      if (sensor != null) {
        sensor.written(Long.MAX_VALUE);
      }
    }
    windows.changes().clear();
  }

  /** The recording has ended: windows that are open are judged as those of an idle sensor. */
  public void end() {
    List<SensorWindows> sensors = new ArrayList<>();
    windows.forEach(sensors::add);
    sensors.sort(Comparator.comparing(SensorWindows::id, Arrays::compareUnsigned));
    for (SensorWindows sensor : sensors) {
      for (int i = 0; i < sensor.windows(); i++) {
        if (!sensor.window(i).closed() && sensor.window(i).changedSinceEmit()) {
          sink.emit(sensor, sensor.window(i), CloseReason.IDLE);
        }
      }
    }
    statuses.endRecord();
  }
}

package io.weir.lab.oracle;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.Quality;
import io.weir.v1.Reading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The sensors of a partition and their windows: when each is closed and emitted. The sensor that
 * was silent longest is the first. One thread.
 */
final class NaiveSensors {
  /** More sensors than this that are due at one record may be spread over the next ones. */
  private static final int SLICE = 10_000;

  private final Supplier<WindowSpec> spec;
  private final NaiveWindows windows;
  private final Emissions emissions;
  private final NaiveEmitter emitter;
  private final Map<String, NaiveSensor> sensors = new LinkedHashMap<>();
  private final Map<String, NaiveSensor> awaiting = new LinkedHashMap<>();
  private final NaiveCuts cuts;
  private long complete;

  /**
   * None.
   *
   * @param cuts which windows may lack readings that were deleted
   * @param byRecords whether records decide when a silent sensor's windows are emitted
   */
  NaiveSensors(
      Supplier<WindowSpec> spec,
      NaiveWindows windows,
      Emissions emissions,
      boolean byRecords,
      NaiveCuts cuts) {
    this.cuts = cuts;
    this.spec = spec;
    this.windows = windows;
    this.emissions = emissions;
    this.emitter = new NaiveEmitter(windows, emissions, byRecords);
  }

  void withStatus(NaiveStatus ofSensors) {
    emitter.withStatus(ofSensors);
  }

  /** Those that are kept, by their ids. */
  Map<String, NaiveSensor> byId() {
    return Collections.unmodifiableMap(sensors);
  }

  /** Whether a window is kept, and whether it takes more. */
  NaiveWeir.Kept.State kept(String sensorId, long startMs) {
    if (cuts.concerns(startMs)) {
      return cuts.kept(sensorId, startMs);
    }
    NaiveSensor sensor = sensors.get(sensorId);
    NaiveSensor.Open window = sensor == null ? null : sensor.windows.get(startMs);
    if (window == null) {
      return NaiveWeir.Kept.State.NOT;
    }
    return window.complete ? NaiveWeir.Kept.State.COMPLETE : NaiveWeir.Kept.State.FOR_MORE;
  }

  /** Adds the readings of a batch to their windows; returns their sensors. */
  Map<String, NaiveSensor> take(List<Reading> taken) {
    Map<String, NaiveSensor> inBatch = new LinkedHashMap<>();
    for (Reading reading : taken) {
      String id = reading.getSensorId();
      if (!inBatch.containsKey(id)) {
        NaiveSensor sensor = sensors.containsKey(id) ? sensors.remove(id) : new NaiveSensor();
        sensor.windows.values().forEach(emitter::settleOptional);
        inBatch.put(id, sensor);
        sensors.put(id, sensor);
      }
    }
    Map<NaiveWindows.Key, NaiveSensor.Open> amended = new LinkedHashMap<>();
    for (Reading reading : taken) {
      NaiveSensor.Open window = windowOf(inBatch.get(reading.getSensorId()), reading);
      if (window.closed) {
        amended.put(window.key, window);
      }
      window.changedSinceEmit = true;
      window.allowedSince = -1;
      boolean again =
          windows.add(
              reading.getSensorId(),
              reading.getTimestampMs(),
              reading.getValue(),
              Quality.ofNumber(reading.getQualityValue()));
      if (again) {
        emissions.beginsAgain(window.key);
      }
    }
    for (Reading reading : taken) {
      NaiveSensor sensor = inBatch.get(reading.getSensorId());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
    }
    amended.values().forEach(window -> emitter.emit(window, CloseReason.AMENDED));
    return inBatch;
  }

  /** A sensor that is kept sends readings that are withheld. */
  void active(String id, long nowMs) {
    NaiveSensor sensor = sensors.remove(id);
    sensors.put(id, sensor);
    sensor.windows.values().forEach(emitter::settleOptional);
    sensor.lastActiveMs = nowMs;
    if (awaiting.remove(id) != null) {
      awaiting.put(id, sensor);
    }
  }

  /** The operators go on without the records of a gap. */
  void acceptLoss(String gap, NaivePartition.Published published) {
    cuts.accept(
        gap,
        window -> published.inFull(window.key, windows.windows().get(window.key), window.emitted),
        emitter);
  }

  /** Records before one of that append time were deleted, or lost with the state. */
  void cut(String gap, long appendMs) {
    sensors.values().forEach(s -> s.windows.values().forEach(emitter::settleOptional));
    cuts.cut(gap, appendMs, sensors);
    awaiting.values().removeIf(sensor -> !sensor.awaitsEmission());
  }

  /** After the end of a batch of readings whose loss was accepted. */
  void endAccepted(Set<String> sensorIds) {
    cuts.endBatch(sensorIds, emitter);
  }

  private NaiveSensor.Open windowOf(NaiveSensor sensor, Reading reading) {
    long startMs = windows.startMs(reading.getTimestampMs());
    if (cuts.concerns(startMs)) {
      return cuts.windowOf(reading, startMs);
    }
    return sensor.windows.computeIfAbsent(
        startMs,
        start -> {
          NaiveSensor.Open window =
              new NaiveSensor.Open(new NaiveWindows.Key(reading.getSensorId(), start));
          window.closed = isPassed(sensor, start, spec.get().graceMs());
          return window;
        });
  }

  private boolean isPassed(NaiveSensor sensor, long startMs, long byMs) {
    return sensor.watermarkMs != Long.MIN_VALUE
        && startMs + spec.get().sizeMs() + byMs <= sensor.watermarkMs;
  }

  /** What is open and ends by then is closed for ever. */
  void complete(String sensorId, long throughMs) {
    NaiveSensor sensor = sensors.get(sensorId);
    for (NaiveSensor.Open window : sensor.windows.values()) {
      if (!window.closed && window.key.startMs() + spec.get().sizeMs() <= throughMs) {
        emitter.settleOptional(window);
        window.closed = true;
        window.complete = true;
        complete++;
        emitter.closed(window);
        emitter.emit(window, CloseReason.COMPLETE);
      }
    }
    if (!sensor.awaitsEmission()) {
      awaiting.remove(sensorId);
    }
  }

  /** Windows that were closed as complete. */
  long complete() {
    return complete;
  }

  /** Closes and drops what the watermark of a batch's sensor has passed. */
  void endBatch(String id, NaiveSensor sensor, long nowMs) {
    sensor.lastActiveMs = nowMs;
    for (NaiveSensor.Open window : sensor.windows.values()) {
      if (!window.closed && isPassed(sensor, window.key.startMs(), spec.get().graceMs())) {
        window.closed = true;
        emitter.closed(window);
        if (window.changedSinceEmit) {
          emitter.emit(window, CloseReason.EVENT_TIME);
        }
      }
    }
    long keptMs = spec.get().graceMs() + spec.get().latenessMs();
    sensor.windows.keySet().removeIf(startMs -> isPassed(sensor, startMs, keptMs));
    awaiting.remove(id);
    if (sensor.awaitsEmission()) {
      awaiting.put(id, sensor);
    }
  }

  /**
   * Emits the windows of sensors that are silent.
   *
   * @param appendMs of the record at hand
   * @param nowMs log time
   * @param records how many there were, with the one at hand
   */
  void emitIdle(long appendMs, long nowMs, long records) {
    List<NaiveSensor> silent = new ArrayList<>();
    for (NaiveSensor sensor : awaiting.values()) {
      if (nowMs - sensor.lastActiveMs < spec.get().idleTimeoutMs()) {
        break;
      }
      silent.add(sensor);
    }
    for (NaiveSensor sensor : silent) {
      if (silent.size() > SLICE && sensor.spreadUntilRecord < records) {
        sensor.spreadUntilRecord = records + 4L * silent.size() / SLICE;
      }
      boolean now = sensor.spreadUntilRecord <= records;
      sensor.windows.values().forEach(window -> emitIdle(window, appendMs, now));
    }
    awaiting.values().removeIf(sensor -> !sensor.awaitsEmission());
  }

  private void emitIdle(NaiveSensor.Open window, long appendMs, boolean now) {
    boolean all = spec.get().idleRule() == WindowSpec.IdleRule.ALL;
    boolean over =
        all || appendMs >= window.key.startMs() + spec.get().sizeMs() + spec.get().graceMs();
    if (window.closed || !window.changedSinceEmit || (!over && window.allowedSince < 0)) {
      return;
    }
    if (window.allowedSince < 0) {
      window.allowedSince = emissions.position();
    }
    if (over && now) {
      emitter.emit(window, CloseReason.IDLE, window.allowedSince);
    }
  }

  /** Emits what sensors have left that were silent for too long, and removes them. */
  void forget(long nowMs, BiConsumer<String, NaiveSensor> forgotten) {
    Iterator<Map.Entry<String, NaiveSensor>> eldestFirst = sensors.entrySet().iterator();
    while (eldestFirst.hasNext()) {
      Map.Entry<String, NaiveSensor> eldest = eldestFirst.next();
      NaiveSensor sensor = eldest.getValue();
      if (nowMs - sensor.lastActiveMs < spec.get().sensorTtlMs()) {
        return;
      }
      sensor.windows.values().forEach(emitter::emitForgotten);
      forgotten.accept(eldest.getKey(), sensor);
      awaiting.remove(eldest.getKey());
      eldestFirst.remove();
    }
  }

  /** Settles what may have been emitted by a clock. */
  void settleOptional() {
    sensors.values().forEach(sensor -> sensor.windows.values().forEach(emitter::settleOptional));
  }
}

package io.weir.lab.oracle;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.WindowSpec;
import io.weir.v1.Reading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The spans of one size, longer than windows, that a partition must emit, written from the design
 * alone: each is what one pass over all readings of its span gives, whatever windows there are. One
 * thread.
 */
abstract class NaiveSpans {
  final Supplier<WindowSpec> spec;
  final long sizeMs;
  final Emissions emissions;
  private final Amendable amendable;
  private final NaiveCuts cuts;

  /** By sensor, the one that was silent for longest first; forgotten ones too. */
  private final Map<String, Sensor> sensors = new LinkedHashMap<>();

  static final class Span {
    final NaiveWindows.Key key;
    boolean closed;
    private boolean changed;

    Span(NaiveWindows.Key key) {
      this.key = key;
    }
  }

  static final class Sensor {
    final TreeMap<Long, Span> spans = new TreeMap<>();
    long watermarkMs = Long.MIN_VALUE;
    long attestedMs = Long.MIN_VALUE;
    long lastActiveMs;
  }

  /** Answers whether a window of a sensor between two times can still be amended. */
  @FunctionalInterface
  interface Amendable {
    boolean within(String sensorId, long fromMs, long toMs);
  }

  NaiveSpans(
      Supplier<WindowSpec> spec,
      long sizeMs,
      Amendable amendable,
      Emissions emissions,
      NaiveCuts cuts) {
    this.cuts = cuts;
    this.spec = spec;
    this.sizeMs = sizeMs;
    this.amendable = amendable;
    this.emissions = emissions;
  }

  /** Adds a reading; returns the spans that hold it, made where there were none. */
  abstract List<Span> add(Sensor sensor, Reading reading);

  /** All that is in a span. */
  abstract NaiveWindows.Window content(Span span);

  /** Nothing of a sensor is known any more. */
  abstract void forgetAll(String sensorId);

  /**
   * Takes a batch; its windows were closed by what it attests, and not yet by their sensors' time.
   *
   * @param taken the readings that belong into windows
   * @param attested how far sensors are complete, as the batch says
   */
  final void take(List<Reading> taken, Map<String, Long> attested, long logMs) {
    Map<String, Sensor> inBatch = new LinkedHashMap<>();
    List<Span> amended = new ArrayList<>();
    for (Reading reading : taken) {
      Sensor sensor =
          inBatch.computeIfAbsent(
              reading.getSensorId(), id -> sensors.getOrDefault(id, new Sensor()));
      for (Span span : add(sensor, reading)) {
        if (span.closed && !span.changed) {
          amended.add(span);
        }
        span.changed = true;
      }
    }
    amended.forEach(span -> emit(span, CloseReason.AMENDED));
    attested.forEach(
        (id, throughMs) -> {
          Sensor sensor = inBatch.getOrDefault(id, sensors.get(id));
          sensor.attestedMs = Math.max(sensor.attestedMs, throughMs);
          complete(sensor);
        });
    inBatch.values().forEach(this::complete);
    for (Reading reading : taken) {
      Sensor sensor = inBatch.get(reading.getSensorId());
      sensor.watermarkMs = Math.max(sensor.watermarkMs, reading.getTimestampMs());
    }
    inBatch.forEach(
        (id, sensor) -> {
          sensors.remove(id);
          sensors.put(id, sensor);
          sensor.lastActiveMs = logMs;
          close(sensor);
        });
  }

  /** Sensors that are kept send readings that are withheld. */
  final void active(Set<String> sensorIds, long logMs) {
    for (String id : sensorIds) {
      Sensor sensor = sensors.remove(id);
      if (sensor != null) {
        sensors.put(id, sensor);
        sensor.lastActiveMs = logMs;
      }
    }
  }

  /** The span of a start, made where there is none. */
  final Span spanOf(Sensor sensor, String sensorId, long startMs) {
    return sensor.spans.computeIfAbsent(
        startMs,
        start -> {
          Span span = new Span(new NaiveWindows.Key(sensorId, start));
          span.closed = isPassed(sensor, start, spec.get().graceMs());
          return span;
        });
  }

  private boolean isPassed(Sensor sensor, long startMs, long byMs) {
    return sensor.watermarkMs != Long.MIN_VALUE && startMs + sizeMs + byMs <= sensor.watermarkMs;
  }

  /** What was attested to its end is final, unless a window in it can still be amended. */
  private void complete(Sensor sensor) {
    for (Span span : sensor.spans.values()) {
      long startMs = span.key.startMs();
      if (!span.closed
          && startMs + sizeMs <= sensor.attestedMs
          && !amendable.within(span.key.sensorId(), startMs, startMs + sizeMs)) {
        span.closed = true;
        emit(span, CloseReason.COMPLETE);
      }
    }
  }

  private void close(Sensor sensor) {
    for (Span span : sensor.spans.values()) {
      if (!span.closed && isPassed(sensor, span.key.startMs(), spec.get().graceMs())) {
        span.closed = true;
        if (span.changed) {
          emit(span, CloseReason.EVENT_TIME);
        }
      }
    }
    long keptMs = spec.get().graceMs() + spec.get().latenessMs();
    sensor.spans.keySet().removeIf(startMs -> isPassed(sensor, startMs, keptMs));
  }

  private void emit(Span span, CloseReason reason) {
    span.changed = false;
    if (cuts.concerns(span.key.startMs())) {
      return;
    }
    emissions.due(span.key, reason, content(span), emissions.position());
  }

  /** Emits what has ended of sensors that are idle. */
  final void emitIdle(long appendMs, long logMs) {
    boolean all = spec.get().idleRule() == WindowSpec.IdleRule.ALL;
    for (Sensor sensor : sensors.values()) {
      if (logMs - sensor.lastActiveMs < spec.get().idleTimeoutMs()) {
        return;
      }
      for (Span span : sensor.spans.values()) {
        if (all || appendMs >= span.key.startMs() + sizeMs + spec.get().graceMs()) {
          emitIfChanged(span);
        }
      }
    }
  }

  private void emitIfChanged(Span span) {
    if (!span.closed && span.changed) {
      emit(span, CloseReason.IDLE);
    }
  }

  /**
   * A sensor is forgotten: what ends with its last window is emitted and gone, what goes on stays.
   *
   * @param lastEndMs the end of its last window
   */
  final void forget(String sensorId, long lastEndMs) {
    Sensor sensor = sensors.get(sensorId);
    sensor.watermarkMs = Long.MIN_VALUE;
    for (Span span : List.copyOf(sensor.spans.values())) {
      if (span.key.startMs() + sizeMs <= lastEndMs) {
        emitIfChanged(span);
        sensor.spans.remove(span.key.startMs());
      }
    }
  }

  /** The mark of a sensor is gone: what goes on is emitted as it is. */
  final void purge(String sensorId) {
    sensors.remove(sensorId).spans.values().forEach(this::emitIfChanged);
    forgetAll(sensorId);
  }
}

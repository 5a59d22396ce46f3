package io.weir.lab.oracle;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.WindowSpec;
import io.weir.v1.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What becomes of windows that may lack readings which were deleted before they were read, written
 * from the design alone: they are set apart, and emitted when the loss is accepted, and with
 * readings that were withheld and are sent again after that. One thread.
 */
final class NaiveCuts {
  private static final long HOUR_MS = 3_600_000;

  private final Supplier<WindowSpec> spec;
  private final long maxFutureSkewMs;
  private final Map<String, TreeMap<Long, NaiveSensor.Open>> apart = new HashMap<>();

  /** Up to where windows that are set apart were evicted: never less than before. */
  private final Map<String, Long> passedMs = new HashMap<>();

  /** The newest window of each sensor that the batch at hand adds withheld readings to. */
  private final Map<String, Long> takenMs = new HashMap<>();

  /** Windows with readings that are not emitted, as their record on the topic has as many. */
  private final Set<NaiveWindows.Key> left = new LinkedHashSet<>();

  private String newest = "";
  private boolean accepted;

  private long beforeMs = Long.MIN_VALUE;

  NaiveCuts(Supplier<WindowSpec> spec, NaiveRules rules) {
    this.spec = spec;
    this.maxFutureSkewMs = rules.maxFutureSkewMs();
  }

  /**
   * Records before one of that append time were deleted, or lost with the state that had them.
   *
   * @param gap names it
   */
  void cut(String gap, long appendMs, Map<String, NaiveSensor> sensors) {
    newest = gap;
    accepted = false;
    long latestMs = appendMs + HOUR_MS + maxFutureSkewMs;
    beforeMs =
        Math.max(beforeMs, -Math.floorDiv(-latestMs, spec.get().sizeMs()) * spec.get().sizeMs());
    sensors.forEach(
        (id, sensor) -> {
          for (Long startMs : List.copyOf(sensor.windows.headMap(beforeMs).keySet())) {
            NaiveSensor.Open window = sensor.windows.remove(startMs);
            window.closed = true;
            apart.computeIfAbsent(id, unknown -> new TreeMap<>()).put(startMs, window);
          }
        });
  }

  private void leave(NaiveSensor.Open window) {
    window.changedSinceEmit = false;
    left.add(window.key);
  }

  /** Windows that are set apart, and have readings that were not emitted. */
  private List<NaiveSensor.Open> unsent() {
    List<NaiveSensor.Open> unsent = new ArrayList<>();
    apart.values().forEach(windows -> unsent.addAll(unsent(windows)));
    return unsent;
  }

  /**
   * The operators go on without the records of a gap: what waits is emitted, but for windows that
   * are published with as many readings.
   */
  void accept(String gap, Predicate<NaiveSensor.Open> isPublished, NaiveEmitter emitter) {
    if (gap.equals(newest)) {
      accepted = true;
      unsent().stream().filter(isPublished).forEach(this::leave);
      unsent().forEach(window -> emitter.emit(window, CloseReason.AMENDED));
    }
  }

  /** Whether what was withheld counts if it is sent again. */
  boolean isAccepted() {
    return accepted;
  }

  /** Before when windows may lack readings. */
  long beforeMs() {
    return beforeMs;
  }

  /** Whether the window or span that starts then may lack readings. */
  boolean concerns(long startMs) {
    return startMs < beforeMs;
  }

  /** Windows of a sensor that are set apart. */
  private TreeMap<Long, NaiveSensor.Open> of(String sensorId) {
    return apart.getOrDefault(sensorId, new TreeMap<>());
  }

  /** How a window that is set apart is kept. */
  NaiveWeir.Kept.State kept(String sensorId, long startMs) {
    NaiveSensor.Open window = of(sensorId).get(startMs);
    if (window == null) {
      return NaiveWeir.Kept.State.NOT;
    }
    return window.complete ? NaiveWeir.Kept.State.COMPLETE : NaiveWeir.Kept.State.FOR_MORE;
  }

  /** Whether a reading whose loss was accepted is late: too far behind the newest that counted. */
  boolean isLate(String sensorId, long startMs) {
    NaiveWeir.Kept.State kept = kept(sensorId, startMs);
    return kept == NaiveWeir.Kept.State.COMPLETE
        || (kept == NaiveWeir.Kept.State.NOT && startMs + spec.get().sizeMs() <= passed(sensorId));
  }

  private long passed(String sensorId) {
    return passedMs.getOrDefault(sensorId, Long.MIN_VALUE);
  }

  /** The window of a reading whose loss was accepted. */
  NaiveSensor.Open windowOf(Reading reading, long startMs) {
    left.remove(new NaiveWindows.Key(reading.getSensorId(), startMs));
    takenMs.merge(reading.getSensorId(), startMs, Math::max);
    return apart
        .computeIfAbsent(reading.getSensorId(), id -> new TreeMap<>())
        .computeIfAbsent(
            startMs,
            start -> {
              NaiveSensor.Open window =
                  new NaiveSensor.Open(new NaiveWindows.Key(reading.getSensorId(), start));
              window.closed = true;
              return window;
            });
  }

  /** Ends a batch of readings whose loss was accepted: what is far behind is emitted and goes. */
  void endBatch(Set<String> sensorIds, NaiveEmitter emitter) {
    for (String id : sensorIds) {
      TreeMap<Long, NaiveSensor.Open> windows = of(id);
      Long newestMs = takenMs.remove(id);
      if (newestMs == null) {
        continue;
      }
      long keptMs = spec.get().graceMs() + spec.get().latenessMs();
      passedMs.put(id, Math.max(passed(id), newestMs - keptMs));
      List<Long> passed = new ArrayList<>();
      windows.keySet().stream()
          .filter(startMs -> startMs + spec.get().sizeMs() <= passedMs.get(id))
          .forEach(passed::add);
      for (Long startMs : passed) {
        NaiveSensor.Open window = windows.remove(startMs);
        if (window.changedSinceEmit) {
          emitter.emit(window, CloseReason.AMENDED);
        }
      }
    }
  }

  /** Whether a sensor has to be known still, as the operators have not decided. */
  boolean keeps(String sensorId) {
    return !unsent(of(sensorId)).isEmpty();
  }

  /** Nothing of a sensor is known any more. */
  void purge(String sensorId) {
    apart.remove(sensorId);
    passedMs.remove(sensorId);
  }

  /** Windows with readings that are not emitted, as their record on the topic has as many. */
  Set<NaiveWindows.Key> left() {
    return left;
  }

  private static List<NaiveSensor.Open> unsent(TreeMap<Long, NaiveSensor.Open> windows) {
    return windows.values().stream().filter(window -> window.changedSinceEmit).toList();
  }
}

package io.weir.lab.oracle;

import io.weir.internal.window.WindowSpec;
import io.weir.reading.Quality;
import io.weir.v1.Reading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Hopping windows: one ends with each window that has readings. Keeps the readings themselves, and
 * sums them up again for each emission. One thread.
 */
final class NaiveHops extends NaiveSpans {
  private final Map<String, TreeMap<Long, List<Reading>>> readings = new HashMap<>();
  private final SortedMap<NaiveWindows.Key, NaiveWindows.Window> latest = new TreeMap<>();
  private final Set<NaiveWindows.Key> forgotten = new HashSet<>();

  NaiveHops(Supplier<WindowSpec> spec, Amendable amendable, Emissions emissions, NaiveCuts cuts) {
    super(spec, spec.get().hopping().lengthMs(), amendable, emissions, cuts);
  }

  @Override
  List<Span> add(Sensor sensor, Reading reading) {
    String id = reading.getSensorId();
    if (spec.get().hopping().lengthMs(id.getBytes(StandardCharsets.UTF_8)) == 0) {
      return List.of();
    }
    TreeMap<Long, List<Reading>> all = readings.computeIfAbsent(id, unknown -> new TreeMap<>());
    all.computeIfAbsent(reading.getTimestampMs(), time -> new ArrayList<>()).add(reading);
    forgetOld(sensor, all);
    long endMs =
        (Math.floorDiv(reading.getTimestampMs(), spec.get().sizeMs()) + 1) * spec.get().sizeMs();
    Span own = spanOf(sensor, id, endMs - sizeMs);
    if (forgotten.remove(own.key)) {
      emissions.beginsAgain(own.key);
    }
    return List.copyOf(sensor.spans.subMap(endMs - sizeMs, endMs).values());
  }

  /** Readings that no span to come can hold. */
  private void forgetOld(Sensor sensor, TreeMap<Long, List<Reading>> all) {
    if (sensor.watermarkMs != Long.MIN_VALUE) {
      long keptMs = spec.get().graceMs() + spec.get().latenessMs() + 2 * sizeMs;
      all.headMap(sensor.watermarkMs - keptMs).clear();
    }
  }

  @Override
  NaiveWindows.Window content(Span span) {
    long startMs = span.key.startMs();
    NaiveWindows.Window content =
        NaiveWindows.Window.empty(
            spec.get().statistics(), span.key.sensorId(), spec.get().sizeMs());
    for (List<Reading> ofTime :
        readings.get(span.key.sensorId()).subMap(startMs, startMs + sizeMs).values()) {
      for (Reading reading : ofTime) {
        content =
            content.plus(
                reading.getTimestampMs(),
                reading.getValue(),
                Quality.ofNumber(reading.getQualityValue()));
      }
    }
    latest.put(span.key, content);
    return content;
  }

  @Override
  void forgetAll(String sensorId) {
    readings.remove(sensorId);
    latest.keySet().stream().filter(key -> key.sensorId().equals(sensorId)).forEach(forgotten::add);
  }

  /** Each as it was when it was emitted last. */
  SortedMap<NaiveWindows.Key, NaiveWindows.Window> latest() {
    return latest;
  }
}

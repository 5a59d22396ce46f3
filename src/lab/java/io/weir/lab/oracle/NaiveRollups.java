package io.weir.lab.oracle;

import io.weir.internal.window.WindowSpec;
import io.weir.reading.Quality;
import io.weir.v1.Reading;
import java.util.List;
import java.util.function.Supplier;

/** Rollups of one size: each reading is in one of them. One thread. */
final class NaiveRollups extends NaiveSpans {
  private final NaiveWindows contents;

  NaiveRollups(
      Supplier<WindowSpec> spec,
      long sizeMs,
      Amendable amendable,
      Emissions emissions,
      NaiveCuts cuts) {
    super(spec, sizeMs, amendable, emissions, cuts);
    this.contents = new NaiveWindows(sizeMs, () -> spec.get().statistics(), spec.get().sizeMs());
  }

  @Override
  List<Span> add(Sensor sensor, Reading reading) {
    long startMs = Math.floorDiv(reading.getTimestampMs(), sizeMs) * sizeMs;
    Span span = spanOf(sensor, reading.getSensorId(), startMs);
    if (contents.add(
        reading.getSensorId(),
        reading.getTimestampMs(),
        reading.getValue(),
        Quality.ofNumber(reading.getQualityValue()))) {
      emissions.beginsAgain(span.key);
    }
    return List.of(span);
  }

  @Override
  NaiveWindows.Window content(Span span) {
    return contents.windows().get(span.key);
  }

  @Override
  void forgetAll(String sensorId) {
    contents.forget(sensorId);
  }

  /** All rollups of that size. */
  NaiveWindows contents() {
    return contents;
  }
}

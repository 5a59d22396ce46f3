package io.weir.store;

import io.weir.window.SensorSpans;
import io.weir.window.SensorWindows;
import io.weir.window.Window;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What is kept of each sensor, wherever in the changelog it stands. */
final class StateDump {
  private StateDump() {}

  /** Each sensor's times and windows, by its id. */
  static Map<String, String> of(PartitionState state) {
    Map<String, String> sensors = new TreeMap<>();
    state
        .windows()
        .forEach(sensor -> sensors.put(new String(sensor.id(), StandardCharsets.UTF_8), of(sensor)));
    return sensors;
  }

  private static String of(SensorWindows sensor) {
    StringBuilder text = new StringBuilder();
    text.append(sensor.lastActiveMs())
        .append(" watermark ")
        .append(sensor.watermarkMs())
        .append(" evicted ")
        .append(sensor.evictedThroughMs())
        .append(" attested ")
        .append(sensor.attestedThroughMs())
        .append(" owner ")
        .append(sensor.owner());
    SensorSpans spans = sensor.spans();
    if (spans != null && SensorCodec.flags(sensor) > 7) {
      text.append(" known ").append(spans.knownFromMs()).append(' ').append(spans.hopsKnownFromMs());
    }
    for (int i = 0; i < sensor.windows(); i++) {
      text.append(" | ").append(of(sensor.window(i)));
    }
    return text.toString();
  }

  private static String of(Window window) {
    return window.startMs()
        + " r"
        + window.revision()
        + (window.closed() ? " closed" : "")
        + (window.isComplete() ? " complete" : "")
        + (window.changedSinceEmit() ? " changed" : "")
        + " n"
        + window.count()
        + " bad"
        + window.badCount()
        + " "
        + window.sum()
        + " "
        + window.sumLow()
        + " "
        + window.min()
        + " "
        + window.max();
  }
}

package io.weir.summary;

import io.weir.v1.WindowSummary;
import java.util.Objects;

/**
 * Identifies a window of a sensor. All summaries with the same key are revisions of one window.
 *
 * @param startMs first millisecond, since the Unix epoch
 * @param endMs first millisecond after the window
 */
public record WindowKey(String sensorId, long startMs, long endMs) {
  public WindowKey {
    Objects.requireNonNull(sensorId);
  }

  /** The window of a summary. */
  public static WindowKey of(WindowSummary summary) {
    return new WindowKey(
        summary.getSensorId(), summary.getWindowStartMs(), summary.getWindowEndMs());
  }
}

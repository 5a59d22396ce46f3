package io.weir.summary;

import io.weir.v1.WindowSummary;
import java.util.Comparator;
import java.util.Objects;

/**
 * Identifies a window of a sensor. All summaries with the same key are revisions of one window.
 *
 * @param startMs first millisecond, since the Unix epoch
 * @param endMs first millisecond after the window
 */
public record WindowKey(String sensorId, long startMs, long endMs)
    implements Comparable<WindowKey> {
  /** The tables of the JDK use it where senders choose names with equal hashes. */
  private static final Comparator<WindowKey> ORDER =
      Comparator.comparing(WindowKey::sensorId)
          .thenComparingLong(WindowKey::startMs)
          .thenComparingLong(WindowKey::endMs);

  @Override
  public int compareTo(WindowKey other) {
    return ORDER.compare(this, other);
  }

  public WindowKey {
    Objects.requireNonNull(sensorId);
  }

  /** The window of a summary. */
  public static WindowKey of(WindowSummary summary) {
    return new WindowKey(
        summary.getSensorId(), summary.getWindowStartMs(), summary.getWindowEndMs());
  }
}

package io.weir.internal.window;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The sensors with hopping windows, and the length of these. A hopping window has a fixed number of
 * windows and is emitted at the end of each window. Thread-safe.
 */
public final class HoppingPlan {
  /** No hopping windows. */
  public static final HoppingPlan NONE = new HoppingPlan(0, List.of());

  /** Maximum number of windows in a hopping window. */
  public static final int MOST_WINDOWS = 60;

  private final long lengthMs;
  private final List<byte[]> prefixes;

  private HoppingPlan(long lengthMs, List<byte[]> prefixes) {
    this.lengthMs = lengthMs;
    this.prefixes = prefixes;
  }

  /**
   * The plan of one length.
   *
   * @param windowSizeMs length of a window
   * @param lengthMs 2 to {@value #MOST_WINDOWS} times that
   * @param prefixes id prefixes of the sensors with hopping windows; none for all sensors
   * @throws IllegalArgumentException if the length is invalid
   */
  public static HoppingPlan of(long windowSizeMs, long lengthMs, Collection<String> prefixes) {
    if (lengthMs <= windowSizeMs || lengthMs % windowSizeMs != 0) {
      throw new IllegalArgumentException(
          lengthMs + " ms is not a larger multiple of " + windowSizeMs + " ms");
    }
    if (lengthMs / windowSizeMs > MOST_WINDOWS) {
      throw new IllegalArgumentException(
          lengthMs + " ms is more than " + MOST_WINDOWS + " times " + windowSizeMs + " ms");
    }
    return new HoppingPlan(
        lengthMs,
        prefixes.stream().map(prefix -> prefix.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /** Whether any sensor has hopping windows. */
  public boolean isOn() {
    return lengthMs > 0;
  }

  /** Their length in milliseconds; 0 for none. */
  public long lengthMs() {
    return lengthMs;
  }

  /** The length of a sensor's hopping windows; 0 for none. Checks each prefix. */
  public long lengthMs(byte[] sensorId) {
    if (prefixes.isEmpty()) {
      return lengthMs;
    }
    for (byte[] prefix : prefixes) {
      if (sensorId.length >= prefix.length
          && Arrays.equals(sensorId, 0, prefix.length, prefix, 0, prefix.length)) {
        return lengthMs;
      }
    }
    return 0;
  }
}

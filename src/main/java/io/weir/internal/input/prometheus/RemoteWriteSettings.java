package io.weir.internal.input.prometheus;

import io.weir.internal.input.Histograms;
import io.weir.internal.input.SensorTemplate;
import java.util.Set;

/**
 * How remote write is read.
 *
 * @param template of sensor ids
 * @param nonFinite what happens to NaN and infinite samples
 * @param histograms what happens to native histograms
 * @param ordered whether the end of a series completes its sensor
 */
public record RemoteWriteSettings(
    SensorTemplate template, NonFinite nonFinite, Histograms histograms, boolean ordered) {
  /** The parts of a template. */
  public static final Set<String> PARTS = Set.of("client", "hash", "series", "name", "label:");

  /** What happens to NaN and infinite samples. */
  public enum NonFinite {
    SKIP,
    REFUSE
  }
}

package io.weir.internal.input.otlp;

import io.weir.internal.input.Histograms;
import io.weir.internal.input.SensorTemplate;
import java.util.Set;

/**
 * How OTLP is read.
 *
 * @param template of sensor ids
 * @param resource attributes of a resource that are labels of its series
 * @param histograms what happens to histograms and summaries
 */
public record OtlpSettings(SensorTemplate template, Set<String> resource, Histograms histograms) {
  /** The parts of a template. */
  public static final Set<String> PARTS =
      Set.of("client", "hash", "series", "name", "attr:", "resource:", "scope", "unit");
}

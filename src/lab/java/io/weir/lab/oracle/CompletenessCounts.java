package io.weir.lab.oracle;

import io.weir.reading.IgnoredAttestation;
import java.util.EnumMap;
import java.util.Map;

/**
 * What came of the attestations in a run.
 *
 * @param windows that were closed as complete
 * @param broken readings that were late for them
 * @param ignored attestations that were not acted on, by cause
 */
public record CompletenessCounts(
    long windows, long broken, Map<IgnoredAttestation, Integer> ignored) {
  public static final CompletenessCounts NONE = new CompletenessCounts(0, 0, Map.of());

  /** Both together. */
  public CompletenessCounts plus(CompletenessCounts other) {
    Map<IgnoredAttestation, Integer> both = new EnumMap<>(IgnoredAttestation.class);
    both.putAll(ignored);
    other.ignored.forEach((cause, count) -> both.merge(cause, count, Integer::sum));
    return new CompletenessCounts(windows + other.windows, broken + other.broken, both);
  }
}

package io.weir.internal.wire;

import java.util.Map;

/**
 * The completeness that a batch attests: fields 6 and 7 of {@code ReadingBatch}.
 *
 * @param throughMs by sensor id, the time in milliseconds since 1970 before which all of its
 *     readings were sent, in this batch or in earlier ones; written in the map's order
 * @param ordered whether each sensor with readings in the batch is complete through its newest one
 */
public record BatchCompleteness(Map<String, Long> throughMs, boolean ordered) {
  /** Attests nothing and has no bytes. */
  public static final BatchCompleteness NONE = new BatchCompleteness(Map.of(), false);
}

package io.weir.internal.input.otlp;

import io.weir.internal.input.RefusedCounts;
import java.util.Map;
import java.util.TreeMap;

/** What became of the points of a request. Not thread-safe. */
final class OtlpReport {
  private final RefusedCounts refused = new RefusedCounts();
  private final int[] skips = new int[Skip.values().length];
  private int points;

  /** What is no reading. */
  enum Skip {
    NO_VALUE("no_value"),
    NAN("nan"),
    HISTOGRAM("histogram");

    private final String kind;

    Skip(String kind) {
      this.kind = kind;
    }
  }

  /**
   * A point was offered or skipped.
   *
   * @param refusal null for none
   * @param metric the number of its metric in the request, from 1
   */
  void point(String refusal, int metric) {
    points++;
    if (refusal != null) {
      refused.add(refusal, metric);
    }
  }

  void skipped(Skip skip) {
    skips[skip.ordinal()]++;
  }

  RefusedCounts refused() {
    return refused;
  }

  /** By kind; none of which there is none. */
  Map<String, Integer> skips() {
    Map<String, Integer> byKind = new TreeMap<>();
    for (Skip skip : Skip.values()) {
      if (skips[skip.ordinal()] > 0) {
        byKind.put(skip.kind, skips[skip.ordinal()]);
      }
    }
    return byKind;
  }

  String message() {
    return refused.message(points + " points", "metric");
  }
}

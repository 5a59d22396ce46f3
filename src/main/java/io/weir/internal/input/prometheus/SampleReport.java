package io.weir.internal.input.prometheus;

import io.weir.internal.input.RefusedCounts;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What became of the samples and histograms of a request. Not thread-safe. */
final class SampleReport {
  private final RefusedCounts refused = new RefusedCounts();
  private final int[] skips = new int[Skip.values().length];
  private int samples;
  private int refusedSamples;
  private int histograms;
  private int refusedHistograms;

  /** What is no reading. */
  enum Skip {
    STALE,
    NAN,
    INFINITE,
    HISTOGRAM,
    EXEMPLAR,
    METADATA
  }

  /**
   * A sample was offered or skipped.
   *
   * @param refusal null for none
   * @param series the number of its series in the request, from 1
   */
  void sample(String refusal, int series) {
    samples++;
    if (refusal != null) {
      refused.add(refusal, series);
      refusedSamples++;
    }
  }

  /** The same for a native histogram. */
  void histogram(String refusal, int series) {
    histograms++;
    if (refusal != null) {
      refused.add(refusal, series);
      refusedHistograms++;
    }
  }

  void skipped(Skip kind) {
    skips[kind.ordinal()]++;
  }

  RefusedCounts refused() {
    return refused;
  }

  /** By kind; none of which there is none. */
  Map<String, Integer> skips() {
    Map<String, Integer> byKind = new TreeMap<>();
    for (Skip kind : Skip.values()) {
      if (skips[kind.ordinal()] > 0) {
        byKind.put(kind.name().toLowerCase(Locale.ROOT), skips[kind.ordinal()]);
      }
    }
    return byKind;
  }

  int samplesWritten() {
    return samples - refusedSamples;
  }

  int histogramsWritten() {
    return histograms - refusedHistograms;
  }

  int exemplarsWritten() {
    return skips[Skip.EXEMPLAR.ordinal()];
  }

  String message() {
    return refused.message(samples + histograms + " samples", "series");
  }
}

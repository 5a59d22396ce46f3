package io.weir.input.prometheus;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What became of the samples and histograms of a request. Not thread-safe. */
final class SampleReport {
  private static final int MOST_TEXT = 1_024;

  private final Map<String, Integer> refusals = new TreeMap<>();
  private final int[] skips = new int[Skip.values().length];
  private int samples;
  private int refusedSamples;
  private int histograms;
  private int refusedHistograms;
  private int firstSeries;

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
      refused(refusal, series);
      refusedSamples++;
    }
  }

  /** The same for a native histogram. */
  void histogram(String refusal, int series) {
    histograms++;
    if (refusal != null) {
      refused(refusal, series);
      refusedHistograms++;
    }
  }

  private void refused(String reason, int series) {
    if (refused() == 0) {
      firstSeries = series;
    }
    refusals.merge(reason, 1, Integer::sum);
  }

  void skipped(Skip kind) {
    skips[kind.ordinal()]++;
  }

  int refused() {
    return refusedSamples + refusedHistograms;
  }

  Map<String, Integer> refusals() {
    return refusals;
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
    StringBuilder text = new StringBuilder();
    text.append("%d of %d samples refused:".formatted(refused(), samples + histograms));
    refusals.forEach((reason, number) -> text.append(" %s %d".formatted(reason, number)));
    text.append("; first: series ").append(firstSeries);
    text.setLength(Math.min(text.length(), MOST_TEXT));
    return text.toString();
  }
}

package io.weir.internal.input;

/** What happens to histograms, which are no readings. */
public enum Histograms {
  /** Their count and sum are series of their own. */
  COUNT_SUM,
  DROP
}

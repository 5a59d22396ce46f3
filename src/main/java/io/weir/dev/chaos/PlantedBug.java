package io.weir.dev.chaos;

import java.util.Locale;

/** What the oracle has to notice: the applications are started with it, on purpose. */
public enum PlantedBug {
  NONE,
  /** Batches lose their sequence before they are judged. */
  NO_DEDUPLICATION,
  /** Now and then a window is emitted twice. */
  DOUBLED_EMISSION,
  /** Late readings go nowhere. */
  LATE_DROPPED,
  /** processing.guarantee is at_least_once. */
  AT_LEAST_ONCE;

  /** As it is typed: no-deduplication. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

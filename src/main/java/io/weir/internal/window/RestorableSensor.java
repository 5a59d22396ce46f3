package io.weir.internal.window;

import io.weir.internal.window.durable.WindowChanges;
import java.util.function.Predicate;

/**
 * The state of one sensor besides its windows: its watermark and longer spans; and the restore of
 * all of it. Not thread-safe.
 */
public abstract class RestorableSensor extends KeptWindows {
  static final long NEVER = Long.MIN_VALUE;
  static final long NONE = Long.MAX_VALUE;

  long watermarkMs = NEVER;
  long evictedThroughMs = NEVER;

  /** Its gateway attested that all readings before this time were sent. */
  long attestedThroughMs = NEVER;

  /** Withheld windows that end at or before this were evicted; never decreases. */
  long withheldThroughMs = NEVER;

  long lastActiveMs;

  /** The window of the last added reading: usually that of the next. */
  Window current;

  /** No open window starts before this. */
  long openFromMs = NONE;

  /** Null if there are none. */
  SensorSpans spans;

  RestorableSensor(byte[] id, int hash) {
    super(id, hash);
  }

  /** Its longer spans; null if there are none. */
  public final SensorSpans spans() {
    return spans;
  }

  /** The longer spans of a sensor that has some, created if necessary. */
  final SensorSpans spansOf(WindowSpec spec) {
    if (spans == null) {
      spans = SensorSpans.ofNew(spec, self());
    }
    return spans;
  }

  /** The same during a restore. */
  private SensorSpans restoredSpans() {
    if (spans == null) {
      spans = new SensorSpans(self());
    }
    return spans;
  }

  abstract SensorWindows self();

  /** Restores the sensor; its windows follow. */
  public final void resume(
      long watermark,
      long evictedThrough,
      long attestedThrough,
      long withheldThrough,
      long lastActive) {
    watermarkMs = watermark;
    evictedThroughMs = evictedThrough;
    attestedThroughMs = attestedThrough;
    withheldThroughMs = withheldThrough;
    lastActiveMs = lastActive;
  }

  /**
   * Restores the shared state of longer spans.
   *
   * @param knownFrom rollups that start before this are incomplete; Long.MIN_VALUE for none
   * @param hopMs length of its hopping windows, 0 for none
   * @param hopsKnownFrom hopping windows that start before this are incomplete
   */
  public final void resumeSpans(long knownFrom, long hopMs, long hopsKnownFrom) {
    if (spans != null || knownFrom != NEVER || hopMs > 0) {
      restoredSpans().knownFromMs(knownFrom);
      spans.resumeHops(hopMs, hopsKnownFrom);
    }
  }

  /**
   * Restores a window; replaces the one with the same start.
   *
   * @param hop the hopping window of the enabled length that ends with it, or null
   */
  public final void resume(WindowSpec spec, Window window, Hop hop) {
    put(window);
    current = null;
    if (!window.closed()) {
      openFromMs = Math.min(openFromMs, window.startMs());
    }
    if (hop != null) {
      restoredSpans().resume(spec, hop);
    } else if (spans != null) {
      spans.dropHop(window.startMs());
    }
  }

  /** Removes a restored window. */
  final void drop(long startMs) {
    remove(startMs);
    current = null;
  }

  /** Removes the windows that match. */
  public final void dropIf(Predicate<Window> condition) {
    for (int i = windows() - 1; i >= 0; i--) {
      if (condition.test(window(i))) {
        remove(window(i).startMs());
      }
    }
    current = null;
  }

  /**
   * Drops restored windows that were evicted, as the state did before it was written: a replica of
   * the changelog that was away for longer than {@code delete.retention.ms} has them again.
   */
  final void dropEvicted(WindowSpec spec, WindowChanges<SensorWindows> changes) {
    for (int i = windows() - 1; i >= 0; i--) {
      Window window = window(i);
      long throughMs = window.isWithheld() ? withheldThroughMs : evictedThroughMs;
      if (window.startMs() + spec.sizeMs() <= throughMs) {
        drop(window.startMs());
        changes.evicted(self(), window, window.startMs());
      }
    }
  }

  /** Restores a rollup of an enabled size. */
  final void resume(WindowSpec spec, Rollup rollup) {
    restoredSpans().resume(spec, rollup);
  }

  /** Removes a restored rollup. */
  final void dropRollup(WindowSpec spec, long sizeMs, long startMs) {
    if (spans != null) {
      spans.dropRollup(spec, sizeMs, startMs);
    }
  }

  /** Restores an evicted window of a sensor with hopping windows. */
  final void resume(WindowSpec spec, EvictedWindow window) {
    restoredSpans().resume(spec, window);
  }

  /** Removes a restored evicted window. */
  final void dropEvicted(long startMs) {
    if (spans != null) {
      spans.dropEvicted(startMs);
    }
  }

  /**
   * Completes the restore of its longer spans.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   * @return whether they differ from the restored ones, so that all must be written
   */
  final boolean resumeSpans(
      WindowSpec spec, boolean sinceStart, WindowChanges<SensorWindows> changes) {
    if (spans != null) {
      spans.dropEnded(evictedThroughMs, changes);
    }
    boolean hops = spec.hopping().lengthMs(id()) > 0;
    boolean rollups = spec.rollups().isOn() && windows() > 0;
    return (spans != null || hops || rollups) && restoredSpans().resume(spec, sinceStart);
  }

  /**
   * Begins with different rollups.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   */
  final void beginRollups(
      WindowSpec spec, boolean sinceStart, WindowChanges<SensorWindows> changes) {
    if (spans != null || spec.rollups().isOn()) {
      restoredSpans().beginRollups(spec, sinceStart, changes);
    }
  }

  /** The largest event time it reported; Long.MIN_VALUE for none. */
  public final long watermarkMs() {
    return watermarkMs;
  }

  /** Windows that end at or before this were evicted; Long.MIN_VALUE for none. */
  public final long evictedThroughMs() {
    return evictedThroughMs;
  }

  /**
   * Its gateway attested that all readings before this time were sent; Long.MIN_VALUE for never.
   */
  public final long attestedThroughMs() {
    return attestedThroughMs;
  }

  /** Withheld windows that end at or before this were evicted; Long.MIN_VALUE for none. */
  public final long withheldThroughMs() {
    return withheldThroughMs;
  }

  /** Log time of the last batch with aggregated readings of it. */
  public final long lastActiveMs() {
    return lastActiveMs;
  }
}

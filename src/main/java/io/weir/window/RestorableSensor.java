package io.weir.window;

import io.weir.window.durable.WindowChanges;
import java.util.function.Predicate;

/**
 * What is kept of one sensor beside its windows: its own time, and what is put together of them;
 * how all of it is put back. Not safe for several threads.
 */
public abstract class RestorableSensor extends KeptWindows {
  static final long NEVER = Long.MIN_VALUE;
  static final long NONE = Long.MAX_VALUE;

  long watermarkMs = NEVER;
  long evictedThroughMs = NEVER;

  /** Its gateway said that all readings before this were handed over. */
  long attestedThroughMs = NEVER;

  /** Withheld windows that end by then were evicted: a time of their own, which never goes back. */
  long withheldThroughMs = NEVER;

  long lastActiveMs;

  /** The window of the last reading taken: most often that of the next. */
  Window current;

  /** No open window starts before this. */
  long openFromMs = NONE;

  /** Null where there are none. */
  SensorSpans spans;

  RestorableSensor(byte[] id, int hash) {
    super(id, hash);
  }

  /** What is put together of its windows; null where nothing is. */
  public final SensorSpans spans() {
    return spans;
  }

  /** That of a sensor which has longer spans, made where nothing was kept of it. */
  final SensorSpans spansOf(WindowSpec spec) {
    if (spans == null) {
      spans = SensorSpans.ofNew(spec, self());
    }
    return spans;
  }

  /** As above, before it is known what was kept. */
  private SensorSpans restoredSpans() {
    if (spans == null) {
      spans = new SensorSpans(self());
    }
    return spans;
  }

  abstract SensorWindows self();

  /** Goes on from what was kept; its windows follow. */
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
   * Goes on from what was kept of longer spans beside themselves.
   *
   * @param knownFrom of rollups that start before this not all readings are known; Long.MIN_VALUE
   *     for none
   * @param hopMs length of its hopping windows, 0 for none
   * @param hopsKnownFrom of hopping windows that start before this not all readings are known
   */
  public final void resumeSpans(long knownFrom, long hopMs, long hopsKnownFrom) {
    if (spans != null || knownFrom != NEVER || hopMs > 0) {
      restoredSpans().knownFromMs(knownFrom);
      spans.resumeHops(hopMs, hopsKnownFrom);
    }
  }

  /**
   * Puts back a window that was kept, in place of the one of its start.
   *
   * @param hop the hopping window that ends with it, of the length that is switched on; or null
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

  /** Takes out a window that was not kept after all. */
  final void drop(long startMs) {
    remove(startMs);
    current = null;
  }

  /** Takes out the windows that are so. */
  public final void dropIf(Predicate<Window> so) {
    for (int i = windows() - 1; i >= 0; i--) {
      if (so.test(window(i))) {
        remove(window(i).startMs());
      }
    }
    current = null;
  }

  /** Puts back a rollup that was kept, of a size that is switched on. */
  final void resume(WindowSpec spec, Rollup rollup) {
    restoredSpans().resume(spec, rollup);
  }

  /** Takes out a rollup that was not kept after all. */
  final void dropRollup(WindowSpec spec, long sizeMs, long startMs) {
    if (spans != null) {
      spans.dropRollup(spec, sizeMs, startMs);
    }
  }

  /** Puts back an evicted window that was kept, of a sensor that has hopping windows. */
  final void resume(WindowSpec spec, EvictedWindow window) {
    restoredSpans().resume(spec, window);
  }

  /** Takes out an evicted window that was not kept after all. */
  final void dropEvicted(long startMs) {
    if (spans != null) {
      spans.dropEvicted(startMs);
    }
  }

  /**
   * Goes on with its longer spans after all that was kept has been put back.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   * @return whether they are others than those that were kept, so that all is to be written
   */
  final boolean resumeSpans(WindowSpec spec, boolean sinceStart) {
    boolean hops = spec.hopping().lengthMs(id()) > 0;
    boolean rollups = spec.rollups().isOn() && windows() > 0;
    return (spans != null || hops || rollups) && restoredSpans().resume(spec, sinceStart);
  }

  /**
   * Begins with other rollups than before.
   *
   * @param sinceStart whether a new sensor's readings were all seen
   */
  final void beginRollups(
      WindowSpec spec, boolean sinceStart, WindowChanges<SensorWindows> changes) {
    if (spans != null || spec.rollups().isOn()) {
      restoredSpans().beginRollups(spec, sinceStart, changes);
    }
  }

  /** The largest event time it reported; Long.MIN_VALUE where none is known. */
  public final long watermarkMs() {
    return watermarkMs;
  }

  /** Windows that end at or before this were evicted; Long.MIN_VALUE where none were. */
  public final long evictedThroughMs() {
    return evictedThroughMs;
  }

  /** Its gateway said that all readings before this were handed over; Long.MIN_VALUE for never. */
  public final long attestedThroughMs() {
    return attestedThroughMs;
  }

  /** Withheld windows that end by then were evicted; Long.MIN_VALUE where none were. */
  public final long withheldThroughMs() {
    return withheldThroughMs;
  }

  /** Log time of the last batch from which something of it was aggregated. */
  public final long lastActiveMs() {
    return lastActiveMs;
  }
}

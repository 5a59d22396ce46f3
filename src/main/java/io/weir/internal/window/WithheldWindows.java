package io.weir.internal.window;

import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.ReadingColumns;
import io.weir.reading.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The windows of a partition that may lack readings which were deleted before they were read: those
 * that start before a time. No time emits or evicts them, and their readings are withheld. When the
 * operators accept the loss, windows with readings that were not emitted are. Then the withheld
 * readings are redriven and accepted; each batch of them emits the windows that it changes. The
 * sensor's watermark has passed these windows, so the start of the newest window with redriven
 * readings is their clock: it evicts those far behind.
 *
 * <p>Costs a comparison if nothing was deleted. Not thread-safe.
 */
final class WithheldWindows {
  /** No records were deleted before they were read. */
  static final long NONE = Long.MIN_VALUE;

  /** Up to this number, each window is counted once; beyond, it may be counted again. */
  private static final int REMEMBERED = 100_000;

  private final WindowSpec spec;
  private long beforeMs = NONE;
  private boolean accepted;
  private long count;
  private long left;
  private final Set<Counted> counted = new HashSet<>();

  /** The windows that the current batch amends. */
  private final Set<Window> amended = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The start of the newest window that the current batch amends, of each sensor; unordered. */
  private final Map<SensorWindows, Long> newestMs = new IdentityHashMap<>();

  /**
   * The readings that the current batch withholds, by sensor and start of their window: only status
   * and rules see them.
   */
  private final Map<SensorWindows, Map<Long, Window>> seen = new LinkedHashMap<>();

  private int readings;

  /** Whether the current batch has redriven readings. */
  private boolean again;

  private record Counted(String sensorId, long startMs) implements Comparable<Counted> {
    /** The tables of the JDK use it where senders choose names with equal hashes. */
    private static final Comparator<Counted> ORDER =
        Comparator.comparing(Counted::sensorId).thenComparingLong(Counted::startMs);

    @Override
    public int compareTo(Counted other) {
      return ORDER.compare(this, other);
    }
  }

  WithheldWindows(WindowSpec spec) {
    this.spec = spec;
  }

  /** Windows that start before this are withheld; the start of a window, or {@link #NONE}. */
  long beforeMs() {
    return beforeMs;
  }

  /** Restores the time, and whether the loss was accepted. */
  void resume(long timeMs, boolean lossAccepted) {
    beforeMs = timeMs;
    accepted = lossAccepted;
  }

  /** The operators have accepted the loss. */
  void accept() {
    accepted = true;
    left = 0;
  }

  /**
   * Whether readings of withheld windows count.
   *
   * @param wereWithheld whether they were withheld and are redriven
   */
  boolean isAccepted(boolean wereWithheld) {
    return wereWithheld && accepted;
  }

  /** Whether any are withheld. */
  boolean isOn() {
    return beforeMs != NONE;
  }

  /** Withholds windows that start before a time. */
  void extendTo(long timeMs) {
    long startMs = spec.startOf(timeMs);
    long endMs = startMs == timeMs ? timeMs : WindowSpec.saturatedSum(startMs, spec.sizeMs());
    beforeMs = Math.max(beforeMs, endMs);
    accepted = false;
  }

  /** Withholds a sensor's windows; longer spans that include some become incomplete. */
  void withhold(SensorWindows sensor) {
    for (int i = 0; i < sensor.windows() && sensor.window(i).startMs() < beforeMs; i++) {
      Window window = sensor.window(i);
      if (!window.closed()) {
        count(sensor.name(), window.startMs());
      }
      window.withhold();
      sensor.windowChanged(window.startMs());
    }
    sensor.current = null;
    sensor.openFromMs = RestorableSensor.NONE;
    for (int i = sensor.windows() - 1; i >= 0; i--) {
      if (!sensor.window(i).closed()) {
        sensor.openFromMs = sensor.window(i).startMs();
      }
    }
    spansAreNotKnown(sensor);
  }

  /** Marks longer spans that include such windows as incomplete. */
  void spansAreNotKnown(SensorWindows sensor) {
    if (isOn() && sensor.spans != null) {
      sensor.spans.knownNotBefore(beforeMs);
    }
  }

  /** Drops restored windows that were evicted before they would have been withheld. */
  void resume(SensorWindows sensor, WindowChanges<SensorWindows> changes) {
    for (int i = sensor.windows() - 1; i >= 0; i--) {
      Window window = sensor.window(i);
      if (window.startMs() < beforeMs && !window.isWithheld()) {
        sensor.drop(window.startMs());
        changes.evicted(sensor, window, window.startMs());
      }
    }
  }

  /** A batch begins. */
  void beginBatch(boolean wereWithheld) {
    again = wereWithheld;
    readings = 0;
    amended.clear();
    newestMs.clear();
    seen.clear();
  }

  /** A known sensor sends, although its reading is withheld. */
  private void see(SensorWindows sensor, long startMs, ReadingColumns batch, int index) {
    seen.computeIfAbsent(sensor, any -> new TreeMap<>())
        .computeIfAbsent(startMs, start -> new Window(start, null))
        .addReading(batch.timestampMs(index), batch.values()[index], batch.quality(index));
  }

  /**
   * The readings that the current batch withholds, as parts of their windows, by known sensor. They
   * are not kept.
   */
  Map<SensorWindows, Map<Long, Window>> seen() {
    return seen;
  }

  /**
   * Writes the verdict of a reading of a withheld window whose loss is not accepted.
   *
   * @param sensor null for a new one
   * @return whether it is late, as its window was emitted for the last time before; a redriven one
   *     is not, as it counts once the loss is accepted
   */
  boolean isLate(ReadingColumns batch, int run, int index, SensorWindows sensor) {
    long startMs = spec.startOf(batch.timestampMs(index));
    if (!again && sensor != null && isPast(sensor, startMs)) {
      batch.verdict(index, Verdict.LATE);
      return true;
    }
    batch.verdict(index, Verdict.WITHHELD);
    readings++;
    if (!again && sensor != null && sensor.isAwake()) {
      see(sensor, startMs, batch, index);
    }
    String id =
        new String(batch.bytes(), batch.idOffset(run), batch.idLength(run), StandardCharsets.UTF_8);
    count(id, startMs);
    return false;
  }

  private boolean isPast(SensorWindows sensor, long startMs) {
    Window window = sensor.find(startMs);
    return startMs + spec.sizeMs() <= sensor.evictedThroughMs
        || (window != null && window.isComplete());
  }

  private void count(String sensorId, long startMs) {
    if (counted.size() >= REMEMBERED) {
      counted.clear();
    }
    if (counted.add(new Counted(sensorId, startMs))) {
      count++;
    }
  }

  /**
   * Adds a withheld reading that was redriven after the loss was accepted.
   *
   * @param amendments receives its window, once in a batch
   * @return whether it was added; if not, it is late
   */
  boolean take(
      SensorWindows sensor,
      long timestampMs,
      double value,
      int quality,
      SensorWindows.Amendments amendments) {
    long startMs = spec.startOf(timestampMs);
    Window window = sensor.find(startMs);
    boolean late =
        window == null ? startMs + spec.sizeMs() <= sensor.withheldThroughMs : window.isComplete();
    if (late) {
      return false;
    }
    if (window == null) {
      window = new Window(startMs, spec.statistics().newStatistics(sensor.id()));
      window.withhold();
      sensor.put(window);
      amendments.opened(sensor, window);
    }
    newestMs.merge(sensor, startMs, Math::max);
    if (amended.add(window)) {
      amendments.amended(sensor, window);
    }
    window.addReading(timestampMs, value, quality);
    sensor.tookWithheld(window, timestampMs);
    return true;
  }

  /** Whether a redriven reading opens a window with that start. */
  boolean opens(SensorWindows sensor, long startMs) {
    return startMs + spec.sizeMs() > sensor.withheldThroughMs && sensor.find(startMs) == null;
  }

  /** Number of a sensor's withheld windows, which are its oldest ones. */
  static int of(SensorWindows sensor) {
    int index = 0;
    while (index < sensor.windows() && sensor.window(index).isWithheld()) {
      index++;
    }
    return index;
  }

  /** Whether it has withheld windows with readings that were not emitted. */
  static boolean awaitsDecision(SensorWindows sensor) {
    for (int i = 0; i < of(sensor); i++) {
      if (sensor.window(i).changedSinceEmit()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Emits a sensor's withheld windows with readings that were not emitted.
   *
   * @param isLeft whether one stays as it is until a redrive adds to it, by sensor id and start
   * @return whether there were any
   */
  boolean release(SensorWindows sensor, BiPredicate<String, Long> isLeft, WindowSink sink) {
    if (!awaitsDecision(sensor)) {
      return false;
    }
    for (int i = 0; i < of(sensor); i++) {
      Window window = sensor.window(i);
      if (window.changedSinceEmit()) {
        if (isLeft.test(sensor.name(), window.startMs())) {
          window.settle();
          left++;
          sensor.windowChanged(window.startMs());
        } else {
          sensor.emit(window, CloseReason.AMENDED, sink);
        }
      }
    }
    return true;
  }

  /** Windows that stayed as they are when the loss was accepted last. */
  long left() {
    return left;
  }

  /**
   * Emits changed windows, and evicts those far behind the sensor's newest one with redriven
   * readings. Others do not evict: a later gap may have withheld them.
   */
  void evict(SensorWindows sensor, WindowSink sink, WindowChanges<SensorWindows> changes) {
    Long newest = newestMs.get(sensor);
    if (newest == null) {
      return;
    }
    // Never decreases: evicted windows remain evicted, also after the retention was increased.
    long throughMs = Math.max(sensor.withheldThroughMs, spec.evictedThrough(newest));
    sensor.withheldThroughMs = throughMs;
    Window oldest = sensor.oldestWindow();
    while (oldest != null && oldest.isWithheld() && endMs(oldest) <= throughMs) {
      if (oldest.changedSinceEmit()) {
        sensor.emit(oldest, CloseReason.AMENDED, sink);
      }
      sensor.removeOldest();
      changes.evicted(sensor, oldest, oldest.startMs());
      oldest = sensor.oldestWindow();
    }
  }

  private long endMs(Window window) {
    return window.startMs() + spec.sizeMs();
  }

  /** Number of withheld readings of the batch. */
  int readings() {
    return readings;
  }

  /** Number of windows withheld since the last call. */
  long takeCount() {
    long taken = count;
    count = 0;
    return taken;
  }

  /** None are withheld. */
  void clear() {
    beforeMs = NONE;
    accepted = false;
    count = 0;
    counted.clear();
    amended.clear();
    newestMs.clear();
    seen.clear();
  }
}

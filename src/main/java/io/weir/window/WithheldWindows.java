package io.weir.window;

import io.weir.reading.ReadingColumns;
import io.weir.reading.Verdict;
import io.weir.window.durable.WindowChanges;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The windows of a partition that may lack readings which were deleted before they were read: those
 * that start before a time. No time emits or evicts them, and their readings are withheld. After
 * the operators have accepted the loss, the readings are sent again and are taken then; each batch
 * of them emits the windows that it changes. Such windows have a time of their own, the start of
 * the newest one, since their sensor's time has passed them: it evicts those far behind.
 *
 * <p>Costs a comparison where nothing was deleted. Not safe for several threads.
 */
final class WithheldWindows {
  /** Nothing was deleted unread. */
  static final long NONE = Long.MIN_VALUE;

  /** So many windows are counted once; beyond, one may be counted again. */
  private static final int REMEMBERED = 100_000;

  private final WindowSpec spec;
  private long beforeMs = NONE;
  private long count;
  private final Set<Counted> counted = new HashSet<>();

  /** Those that the batch under way amends. */
  private final Set<Window> amended = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of each sensor that the batch under way amends, as it was before: order means nothing. */
  private final Map<SensorWindows, Long> evictedThroughMs = new IdentityHashMap<>();

  private int readings;

  private record Counted(String sensorId, long startMs) {}

  WithheldWindows(WindowSpec spec) {
    this.spec = spec;
  }

  /** Windows that start before this are withheld; the start of a window, or {@link #NONE}. */
  long beforeMs() {
    return beforeMs;
  }

  /** Puts back what was kept. */
  void resume(long timeMs) {
    beforeMs = timeMs;
  }

  /** Whether any are withheld. */
  boolean isOn() {
    return beforeMs != NONE;
  }

  /** Windows that start before a time are withheld from now on. */
  void extendTo(long timeMs) {
    long startMs = spec.startOf(timeMs);
    long endMs = startMs == timeMs ? timeMs : WindowSpec.saturatedSum(startMs, spec.sizeMs());
    beforeMs = Math.max(beforeMs, endMs);
  }

  /** Withholds those of a sensor; longer spans that hold some are not known any more. */
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

  /** Longer spans that hold such windows are not emitted. */
  void spansAreNotKnown(SensorWindows sensor) {
    if (isOn() && sensor.spans != null) {
      sensor.spans.knownNotBefore(beforeMs);
    }
  }

  /** The same for one that was withheld before it was written. */
  void resume(SensorWindows sensor) {
    for (int i = 0; i < sensor.windows() && sensor.window(i).startMs() < beforeMs; i++) {
      sensor.window(i).withhold();
    }
  }

  /** A batch begins. */
  void beginBatch() {
    readings = 0;
    amended.clear();
    evictedThroughMs.clear();
  }

  /**
   * Writes the verdict of a reading of such a window, whose loss nobody has accepted.
   *
   * @param sensor null for a new one
   * @return whether it is late, as its window was emitted for the last time before
   */
  boolean isLate(ReadingColumns batch, int run, int index, SensorWindows sensor) {
    long startMs = spec.startOf(batch.timestampMs(index));
    if (sensor != null && isPast(sensor, startMs)) {
      batch.verdict(index, Verdict.LATE);
      return true;
    }
    batch.verdict(index, Verdict.WITHHELD);
    readings++;
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
   * Takes a reading that was withheld, and sent again after the loss was accepted.
   *
   * @param amendments receives its window, once in a batch
   * @return whether it was taken; if not, it is late
   */
  boolean take(
      SensorWindows sensor,
      long timestampMs,
      double value,
      int quality,
      SensorWindows.Amendments amendments) {
    long startMs = spec.startOf(timestampMs);
    Window window = sensor.find(startMs);
    long throughMs = evictedThroughMs.computeIfAbsent(sensor, this::evictedThrough);
    boolean late = window == null ? startMs + spec.sizeMs() <= throughMs : window.isComplete();
    if (late) {
      return false;
    }
    if (window == null) {
      window = new Window(startMs, spec.statistics().newStatistics(sensor.id()));
      window.withhold();
      sensor.put(window);
    }
    if (amended.add(window)) {
      amendments.amended(sensor, window);
    }
    window.take(timestampMs, value, quality);
    sensor.tookWithheld(window, timestampMs);
    return true;
  }

  /** Whether a reading that is taken again opens a window that starts then. */
  boolean opens(SensorWindows sensor, long startMs) {
    return startMs + spec.sizeMs() > evictedThrough(sensor) && sensor.find(startMs) == null;
  }

  /** How many windows of a sensor are withheld: its oldest ones. */
  static int of(SensorWindows sensor) {
    int index = 0;
    while (index < sensor.windows() && sensor.window(index).isWithheld()) {
      index++;
    }
    return index;
  }

  /** No less than it was: what was evicted stays so, also where more is kept from now on. */
  private long evictedThrough(SensorWindows sensor) {
    int number = of(sensor);
    return number == 0
        ? sensor.withheldThroughMs
        : Math.max(
            sensor.withheldThroughMs, spec.evictedThrough(sensor.window(number - 1).startMs()));
  }

  /** Evicts those of a sensor that are far behind its newest one; what is new goes out. */
  void evict(SensorWindows sensor, WindowSink sink, WindowChanges<SensorWindows> changes) {
    long throughMs = evictedThrough(sensor);
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

  /** How many readings of the batch were withheld. */
  int readings() {
    return readings;
  }

  /** How many windows were withheld since the last call. */
  long takeCount() {
    long taken = count;
    count = 0;
    return taken;
  }

  /** None are withheld. */
  void clear() {
    beforeMs = NONE;
    count = 0;
    counted.clear();
    amended.clear();
    evictedThroughMs.clear();
  }
}

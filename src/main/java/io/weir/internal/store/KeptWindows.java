package io.weir.internal.store;

import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.wire.LeftWindows;
import io.weir.v1.WindowSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The windows of a state that may lack readings, compared with their records on the topic of
 * windows: which of them are emitted when the loss is accepted, and which have a record with fewer
 * readings than an earlier one. Add the state first, then the records in their order. As large as
 * the state. One thread.
 */
public final class KeptWindows {
  private final Map<Id, Kept> windows = new TreeMap<>();

  private record Id(String sensorId, long startMs) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int sensors = sensorId.compareTo(other.sensorId);
      return sensors != 0 ? sensors : Long.compare(startMs, other.startMs);
    }
  }

  private static final class Kept {
    private final Window window;
    private final long readings;

    /** Some of them were not emitted. */
    private final boolean waits;

    /** Readings of the newest record. */
    private long newest;

    private long newestOffset;

    /** Whether the newest record has the same minimum, maximum and sum. */
    private boolean isSame;

    /** Readings of the record that has most of them. */
    private long most;

    private long mostOffset;

    private Kept(Window window) {
      this.window = window;
      this.readings = window.count() + window.badCount();
      this.waits = window.changedSinceEmit();
    }

    private void published(WindowSummary summary, long offset) {
      newest = summary.getCount() + summary.getBadCount();
      newestOffset = offset;
      isSame =
          summary.getCount() == window.count()
              && summary.getMin() == window.min()
              && summary.getMax() == window.max()
              && summary.getSum() == window.sum();
      if (newest > most) {
        most = newest;
        mostOffset = offset;
      }
    }

    private boolean isLeft() {
      return waits && newest >= readings;
    }

    /** Readings of the newest record, once the loss is accepted. */
    private long last() {
      return waits ? Math.max(newest, readings) : newest;
    }
  }

  /**
   * Adds the windows of a restored state.
   *
   * @param gapWasMet whether it has met the gap, so that those that may lack readings are withheld
   */
  public void add(PartitionState state, boolean gapWasMet) {
    state.windows().forEach(sensor -> add(sensor, gapWasMet));
  }

  private void add(SensorWindows sensor, boolean withheldOnly) {
    for (int i = 0; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      if (!window.isComplete() && (window.isWithheld() || !withheldOnly)) {
        windows.put(new Id(sensor.name(), window.startMs()), new Kept(window));
      }
    }
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return windows.isEmpty();
  }

  /** A record of a window of the same length, by any state. */
  public void published(WindowSummary summary, long offset) {
    Kept window = windows.get(new Id(summary.getSensorId(), summary.getWindowStartMs()));
    if (window != null) {
      window.published(summary, offset);
    }
  }

  /** Number of windows with readings that were not emitted. */
  public long waiting() {
    return windows.values().stream().filter(window -> window.waits).count();
  }

  /** Those of them whose newest record has as many readings: they are not emitted. */
  public LeftWindows left() {
    LeftWindows left = new LeftWindows();
    windows.forEach(
        (id, window) -> {
          if (window.isLeft()) {
            left.add(id.sensorId(), id.startMs());
          } else if (window.waits) {
            left.addEmitted(id.sensorId(), id.startMs());
          }
        });
    return left;
  }

  /** Windows whose last record has fewer readings than an earlier one, in words without names. */
  public List<String> partial() {
    List<String> partial = new ArrayList<>();
    windows.forEach(
        (id, window) -> {
          if (window.last() < window.most) {
            partial.add(
                "offset %d has %d readings of the window of %s, and its last record %d"
                    .formatted(
                        window.mostOffset,
                        window.most,
                        Instant.ofEpochMilli(id.startMs()),
                        window.last()));
          }
        });
    return partial;
  }

  /**
   * Windows that are not emitted although their newest record has other readings, in words without
   * names: an earlier state may have refused some that this one accepts, or the other way round.
   */
  public List<String> others() {
    List<String> others = new ArrayList<>();
    windows.forEach(
        (id, window) -> {
          if (window.isLeft() && window.newest == window.readings && !window.isSame) {
            others.add(
                "offset %d has as many readings of the window of %s"
                    .formatted(window.newestOffset, Instant.ofEpochMilli(id.startMs())));
          }
        });
    return others;
  }
}

package io.weir.internal.window;

/**
 * A sensor's windows in the order of their starts. Nearly all sensors have one or two, which are
 * fields here: a list would use 48 bytes per sensor, and a cache miss or two per opened window. Not
 * thread-safe.
 */
public abstract class KeptWindows extends Sensor {
  /** Null if there is none. */
  private Window newest;

  /** The older ones: null, a {@link Window}, or from the second on a {@link SpanList}. */
  private Object older;

  KeptWindows(byte[] id, int hash) {
    super(id, hash);
  }

  /** Number of windows. */
  public final int windows() {
    return newest == null ? 0 : olderOnes() + 1;
  }

  private int olderOnes() {
    if (older == null) {
      return 0;
    }
    return older instanceof Window ? 1 : listed().size();
  }

  /** Only a SpanList of windows is stored in this field. */
  @SuppressWarnings("unchecked")
  private SpanList<Window> listed() {
    return (SpanList<Window>) older;
  }

  /**
   * A window by index.
   *
   * @param index 0 is the oldest
   */
  public final Window window(int index) {
    if (index == olderOnes()) {
      return newest;
    }
    return older instanceof Window one ? one : listed().get(index);
  }

  /**
   * Index of the first window that starts at or after that time; the number of windows if none
   * does.
   */
  public final int indexFrom(long startMs) {
    if (newest == null) {
      return 0;
    }
    if (newest.startMs() < startMs) {
      return olderOnes() + 1;
    }
    if (older == null) {
      return 0;
    }
    if (older instanceof Window one) {
      return one.startMs() < startMs ? 1 : 0;
    }
    return listed().indexFrom(startMs);
  }

  /** The window that starts then, or null. */
  public final Window find(long startMs) {
    if (newest == null || newest.startMs() < startMs) {
      return null;
    }
    if (newest.startMs() == startMs) {
      return newest;
    }
    if (older instanceof Window one) {
      return one.startMs() == startMs ? one : null;
    }
    return older == null ? null : listed().find(startMs);
  }

  /** Adds a window, or replaces the one with the same start. */
  final void put(Window window) {
    if (newest == null || newest.startMs() == window.startMs()) {
      newest = window;
    } else if (newest.startMs() < window.startMs()) {
      putOlder(newest);
      newest = window;
    } else {
      putOlder(window);
    }
  }

  private void putOlder(Window window) {
    if (older == null || older instanceof Window one && one.startMs() == window.startMs()) {
      older = window;
    } else {
      if (older instanceof Window one) {
        SpanList<Window> both = new SpanList<>();
        both.put(one);
        older = both;
      }
      listed().put(window);
    }
  }

  /** The window of the latest time, or null. */
  final Window newestWindow() {
    return newest;
  }

  /** The window of the earliest time, or null. */
  final Window oldestWindow() {
    return newest == null ? null : window(0);
  }

  /** Removes the oldest window, which must exist. */
  final Window removeOldest() {
    Window oldest = window(0);
    if (older == null) {
      newest = null;
    } else if (older instanceof Window) {
      older = null;
    } else {
      listed().removeOldest();
      dropEmptyList();
    }
    return oldest;
  }

  /** Removes the window with that start, if it exists. */
  final void remove(long startMs) {
    if (newest != null && newest.startMs() == startMs) {
      newest = olderOnes() == 0 ? null : takeNewestOlder();
    } else if (older instanceof Window one) {
      older = one.startMs() == startMs ? null : one;
    } else if (older != null) {
      listed().remove(startMs);
      dropEmptyList();
    }
  }

  private Window takeNewestOlder() {
    Window next = window(olderOnes() - 1);
    if (older instanceof Window) {
      older = null;
    } else {
      listed().remove(next.startMs());
      dropEmptyList();
    }
    return next;
  }

  private void dropEmptyList() {
    if (listed().size() == 0) {
      older = null;
    }
  }
}

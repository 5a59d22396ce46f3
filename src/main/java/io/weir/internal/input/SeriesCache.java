package io.weir.internal.input;

import java.util.Arrays;

/**
 * The sensors of series seen lately, so that an id is made once. A fixed number of places, each
 * with the last that hashed to it. Thread-safe.
 */
public final class SeriesCache {
  private static final int PLACES = 1 << 18;
  private static final int MOST_KEY_BYTES = 1_024;

  /** Each entry counts its context although a request's entries share it. */
  private static final int MOST_CONTEXT_BYTES = 4_096;

  private final BoundedPlaces<Entry> entries = new BoundedPlaces<>(PLACES, Entry::textBytes);

  private record Entry(byte[] key, SeriesSource source, Sensor sensor) {
    int textBytes() {
      return key.length + source.context().length + 2 * sensor.id().length();
    }
  }

  /** The sensor of a series; null if it is not known. */
  public Sensor find(SeriesKey key, SeriesSource source) {
    if (!fits(key, source)) {
      return null;
    }
    Entry entry = entries.get(place(key, source));
    boolean same =
        entry != null
            && Arrays.equals(entry.key, 0, entry.key.length, key.bytes(), 0, key.length())
            && entry.source.equals(source);
    return same ? entry.sensor : null;
  }

  public void put(SeriesKey key, SeriesSource source, Sensor sensor) {
    if (fits(key, source)) {
      byte[] copy = Arrays.copyOf(key.bytes(), key.length());
      entries.put(place(key, source), new Entry(copy, source, sensor));
    }
  }

  private static boolean fits(SeriesKey key, SeriesSource source) {
    return key.length() <= MOST_KEY_BYTES && source.context().length <= MOST_CONTEXT_BYTES;
  }

  private static int place(SeriesKey key, SeriesSource source) {
    long hash = key.hash() ^ source.hashCode();
    return (int) (hash ^ hash >>> 18 ^ hash >>> 36) & PLACES - 1;
  }
}

package io.weir.internal.input;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The sensors of series seen lately, so that an id is made once. A fixed number of places, each
 * with the last that hashed to it. Thread-safe.
 */
public final class SeriesCache {
  private static final int PLACES = 1 << 18;
  private static final int MOST_KEY_BYTES = 1_024;

  private static final int MOST_CONTEXT_BYTES = 4_096;

  /** What a source takes beside its context. */
  private static final int SOURCE_BYTES = 200;

  private static final int SOURCE_PLACES = 1 << 12;

  private final BoundedPlaces<Entry> entries;

  /** Sources that entries have, so that equal ones are held once; each the last of its place. */
  private final AtomicReferenceArray<Source> sources = new AtomicReferenceArray<>(SOURCE_PLACES);

  public SeriesCache() {
    this(BoundedPlaces.share());
  }

  SeriesCache(long mostBytes) {
    entries = new BoundedPlaces<>(PLACES, mostBytes, this::added, this::removed);
  }

  /** A source, and how many entries have it. */
  private record Source(SeriesSource series, AtomicInteger users) {
    int bytes() {
      return SOURCE_BYTES + series.context().length;
    }
  }

  private record Entry(byte[] key, Source source, Sensor sensor) {
    int textBytes() {
      return key.length + 2 * sensor.id().length();
    }
  }

  /** The first entry of a source counts it. */
  private int added(Entry entry) {
    boolean first = entry.source.users.getAndIncrement() == 0;
    return entry.textBytes() + (first ? entry.source.bytes() : 0);
  }

  private int removed(Entry entry) {
    if (entry.source.users.decrementAndGet() > 0) {
      return entry.textBytes();
    }
    sources.compareAndSet(place(entry.source.series), entry.source, null);
    return entry.textBytes() + entry.source.bytes();
  }

  /** The source that entries have already, or a new one. */
  private Source shared(SeriesSource series) {
    int place = place(series);
    Source known = sources.get(place);
    if (known != null && known.series.equals(series)) {
      return known;
    }
    Source made = new Source(series, new AtomicInteger());
    sources.set(place, made);
    return made;
  }

  private static int place(SeriesSource series) {
    int hash = series.hashCode();
    return (hash ^ hash >>> 12 ^ hash >>> 24) & SOURCE_PLACES - 1;
  }

  long bytes() {
    return entries.bytes();
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
            && entry.source.series.equals(source);
    return same ? entry.sensor : null;
  }

  public void put(SeriesKey key, SeriesSource source, Sensor sensor) {
    if (fits(key, source)) {
      byte[] copy = Arrays.copyOf(key.bytes(), key.length());
      entries.put(place(key, source), new Entry(copy, shared(source), sensor));
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

package io.weir.internal.input;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToIntFunction;

/**
 * The places of a cache, each with the last entry that was put there. Beyond its memory it empties
 * its places in turn. Thread-safe.
 */
public final class BoundedPlaces<E> {
  /** What an entry takes beside its texts. */
  private static final int ENTRY_BYTES = 200;

  private final AtomicReferenceArray<E> entries;
  private final long mostBytes;
  private final ToIntFunction<E> added;
  private final ToIntFunction<E> removed;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger hand = new AtomicInteger();

  /**
   * Empty places.
   *
   * @param textBytes bytes of the texts of an entry
   */
  public BoundedPlaces(int places, long mostBytes, ToIntFunction<E> textBytes) {
    this(places, mostBytes, textBytes, textBytes);
  }

  /**
   * Empty places.
   *
   * @param added called once before an entry is added: bytes of its texts that no other entry holds
   * @param removed called once after it was removed: bytes that no entry holds any more
   */
  BoundedPlaces(int places, long mostBytes, ToIntFunction<E> added, ToIntFunction<E> removed) {
    this.entries = new AtomicReferenceArray<>(places);
    this.mostBytes = mostBytes;
    this.added = added;
    this.removed = removed;
  }

  /** Empty places, with a sixteenth of the memory that the process may use. */
  public BoundedPlaces(int places, ToIntFunction<E> textBytes) {
    this(places, share(), textBytes);
  }

  /** A sixteenth of the memory that the process may use. */
  static long share() {
    return Runtime.getRuntime().maxMemory() / 16;
  }

  /** The entry of a place; null if it is empty. */
  public E get(int place) {
    return entries.getPlain(place);
  }

  public void put(int place, E entry) {
    replace(place, entry);
    while (bytes.get() > mostBytes) {
      replace(Math.floorMod(hand.getAndIncrement(), entries.length()), null);
    }
  }

  private void replace(int place, E entry) {
    if (entry != null) {
      bytes.addAndGet(ENTRY_BYTES + added.applyAsInt(entry));
    }
    E before = entries.getAndSet(place, entry);
    if (before != null) {
      bytes.addAndGet(-ENTRY_BYTES - removed.applyAsInt(before));
    }
  }

  long bytes() {
    return bytes.get();
  }
}

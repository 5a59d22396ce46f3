package io.weir.reading;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The completeness that a batch attests: each entry has a sensor and the time up to which all of
 * its readings were sent; a flag attests the same for every sensor of the batch through its newest
 * time. Entries that are not accepted are removed and counted by cause. Ids are bytes of the
 * batch's record. Reused for each batch, like {@link ReadingColumns}, which holds it. Not
 * thread-safe.
 */
public final class Attestations {
  /** Larger arrays are not reused for the next batch. */
  private static final int MOST_KEPT = 1 << 12;

  private static final int[] NO_INTS = {};
  private static final long[] NO_LONGS = {};

  private int[] idOffset = NO_INTS;
  private int[] idLength = NO_INTS;
  private long[] throughMs = NO_LONGS;
  private int size;
  private boolean ordered;

  /** Number of ignored entries by the ordinal of the cause. */
  private final int[] ignored = new int[IgnoredAttestation.values().length];

  private boolean anyIgnored;

  void clear() {
    if (throughMs.length > MOST_KEPT) {
      idOffset = NO_INTS;
      idLength = NO_INTS;
      throughMs = NO_LONGS;
    }
    size = 0;
    ordered = false;
    if (anyIgnored) {
      Arrays.fill(ignored, 0);
      anyIgnored = false;
    }
  }

  /** Adds an entry. */
  public void add(int offset, int length, long through) {
    if (size == throughMs.length) {
      int larger = Math.max(8, 2 * size);
      idOffset = Arrays.copyOf(idOffset, larger);
      idLength = Arrays.copyOf(idLength, larger);
      throughMs = Arrays.copyOf(throughMs, larger);
    }
    idOffset[size] = offset;
    idLength[size] = length;
    throughMs[size] = through;
    size++;
  }

  public void ordered(boolean said) {
    ordered = said;
  }

  /** Counts an entry that is ignored. */
  public void countIgnored(IgnoredAttestation cause) {
    ignored[cause.ordinal()]++;
    anyIgnored = true;
  }

  /** Removes everything for one cause; the flag of the batch counts as one. */
  void ignoreAll(IgnoredAttestation cause) {
    if (ordered) {
      countIgnored(cause);
    }
    ordered = false;
    ignore(index -> cause);
  }

  /** Removes the entries with a cause; null keeps an entry. */
  void ignore(IntFunction<IgnoredAttestation> causeOf) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      IgnoredAttestation cause = causeOf.apply(i);
      if (cause != null) {
        countIgnored(cause);
      } else {
        idOffset[kept] = idOffset[i];
        idLength[kept] = idLength[i];
        throughMs[kept] = throughMs[i];
        kept++;
      }
    }
    size = kept;
  }

  /** How many were ignored for a cause. */
  public int ignored(IgnoredAttestation cause) {
    return ignored[cause.ordinal()];
  }

  /** Whether it attests nothing. */
  public boolean isEmpty() {
    return size == 0 && !ordered;
  }

  /** Whether every sensor of the batch is complete through its newest time in it. */
  public boolean ordered() {
    return ordered;
  }

  /** How many entries there are. */
  public int size() {
    return size;
  }

  public int idOffset(int index) {
    return idOffset[index];
  }

  public int idLength(int index) {
    return idLength[index];
  }

  /** All earlier readings of the entry's sensor were sent. */
  public long throughMs(int index) {
    return throughMs[index];
  }
}

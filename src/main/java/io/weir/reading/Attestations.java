package io.weir.reading;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * What a batch says about the completeness of sensors: for each entry a sensor and the time up to
 * which all of its readings were handed over, and whether the same holds for every sensor of the
 * batch through its newest time. What is not accepted is taken out and counted by its cause. Ids
 * are bytes of the record that the batch came in. Made to be filled again and again, as {@link
 * ReadingColumns} is, which holds it. Not safe for several threads.
 */
public final class Attestations {
  /** Arrays that grew beyond this are not kept for the next batch. */
  private static final int MOST_KEPT = 1 << 12;

  private static final int[] NO_INTS = {};
  private static final long[] NO_LONGS = {};

  private int[] idOffset = NO_INTS;
  private int[] idLength = NO_INTS;
  private long[] throughMs = NO_LONGS;
  private int size;
  private boolean ordered;

  /** How many were ignored, by the ordinal of the cause. */
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

  /** Takes out everything, for one cause: what a whole batch says in a word counts as one. */
  void ignoreAll(IgnoredAttestation cause) {
    if (ordered) {
      countIgnored(cause);
    }
    ordered = false;
    ignore(index -> cause);
  }

  /** Takes out those entries for which there is a cause: null keeps one. */
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

  /** Whether any was ignored. */
  public boolean anyIgnored() {
    return anyIgnored;
  }

  /** How many were ignored for a cause. */
  public int ignored(IgnoredAttestation cause) {
    return ignored[cause.ordinal()];
  }

  /** Whether it says nothing about any sensor. */
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

  /** Every reading of the entry's sensor that is earlier was handed over. */
  public long throughMs(int index) {
    return throughMs[index];
  }
}

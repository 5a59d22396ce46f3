package io.weir.reading;

import java.util.Arrays;

/**
 * What a batch says about the completeness of sensors: for each entry a sensor and the time up to
 * which all of its readings were handed over, and whether the same holds for every sensor of the
 * batch through its newest time. Ids are bytes of the record that the batch came in. Made to be
 * filled again and again, as {@link ReadingColumns} is, which holds it. Not safe for several
 * threads.
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

  void clear() {
    if (size > MOST_KEPT) {
      idOffset = NO_INTS;
      idLength = NO_INTS;
      throughMs = NO_LONGS;
    }
    size = 0;
    ordered = false;
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

package io.weir.internal.window.aggregate;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The samples of a window in the order of arrival, in chunks of {@value #CHUNK_SIZE}: a full chunk
 * does not change, so that only the last chunks must be written. {@link #sums} uses the order of
 * (event time, value), so it is a function of the samples.
 *
 * <p>A sample needs 16 bytes, in a growing chunk up to twice that. Adding costs a few nanoseconds;
 * the sums are computed on demand, from the samples since the last time. Samples out of order cost
 * 4 bytes more each, and a copy of these bytes whenever there are sums. Not safe for several
 * threads.
 */
public final class Samples {
  /** Samples in all chunks but the last; part of the state's format. */
  public static final int CHUNK_SIZE = 256;

  private static final int FIRST_CHUNK_ROOM = 8;

  private final int most;
  private Chunk[] chunks = new Chunk[1];
  private int size;
  private boolean overflowed;

  /** The chunk that is filled; null if the next sample needs a new one. */
  private Chunk open;

  /** Whether the samples arrived in the order of (event time, value). */
  private boolean inOrder = true;

  /** The last sample. */
  private long lastMs = Long.MIN_VALUE;

  private double last;

  /** The sums of the first {@link #summed} samples; null for none. */
  private SampleSums sums;

  private int summed;

  /** The indices of the samples with sums, by (event time, value); null if they came so. */
  private int[] order;

  /** Counts the samples of the partition; null for none. */
  private SampleRoom.Share share;

  /** Number of samples that are written. */
  private int written;

  /** Consecutive samples in the order of arrival. */
  public static final class Chunk {
    private long[] timestampsMs;
    private double[] values;
    private int size;

    /** Has as many values as times, at most {@value Samples#CHUNK_SIZE}. */
    public Chunk(long[] timestampsMs, double[] values) {
      this.timestampsMs = timestampsMs;
      this.values = values;
      this.size = values.length;
    }

    private void add(long timestampMs, double value) {
      if (size == values.length) {
        int room = Math.min(CHUNK_SIZE, Math.max(FIRST_CHUNK_ROOM, 2 * size));
        timestampsMs = Arrays.copyOf(timestampsMs, room);
        values = Arrays.copyOf(values, room);
      }
      timestampsMs[size] = timestampMs;
      values[size] = value;
      size++;
    }

    public int size() {
      return size;
    }

    /** Event time of a sample. */
    public long timestampMs(int index) {
      return timestampsMs[index];
    }

    public double value(int index) {
      return values[index];
    }
  }

  /** No samples. * @param most maximum number of samples */
  public Samples(int most) {
    this.most = most;
  }

  /**
   * Adds a sample. Above the maximum all samples are dropped permanently.
   *
   * @param value finite, and not -0.0
   */
  void add(long timestampMs, double value) {
    if (overflowed) {
      return;
    }
    if (size >= most || (share != null && !share.take())) {
      overflow();
      return;
    }
    observeOrder(timestampMs, value);
    if (open == null) {
      open = openChunk();
    }
    open.add(timestampMs, value);
    size++;
    if (open.size == CHUNK_SIZE) {
      open = null;
    }
  }

  private void observeOrder(long timestampMs, double value) {
    if (timestampMs < lastMs || (timestampMs == lastMs && value < last)) {
      inOrder = false;
    }
    lastMs = timestampMs;
    last = value;
  }

  /** The chunk of the next sample. */
  private Chunk openChunk() {
    int index = size / CHUNK_SIZE;
    if (index == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunks.length * 2);
    }
    if (chunks[index] == null) {
      chunks[index] = new Chunk(new long[FIRST_CHUNK_ROOM], new double[FIRST_CHUNK_ROOM]);
      chunks[index].size = 0;
    }
    return chunks[index];
  }

  private void overflow() {
    overflowed = true;
    chunks = new Chunk[0];
    open = null;
    leave();
    size = 0;
    forgetSums();
  }

  private void forgetSums() {
    sums = null;
    summed = 0;
    order = null;
  }

  /** Counts the samples in a share of their partition's room from now on. */
  public void enter(SampleRoom.Share of) {
    share = of;
    share.add(size);
  }

  /** The window leaves the state: its samples no longer count. */
  public void leave() {
    if (share != null) {
      share.add(-size);
      share = null;
    }
  }

  /** Whether there were more than the maximum; then none is stored. */
  boolean overflowed() {
    return overflowed;
  }

  private long timestampMs(int index) {
    return chunks[index / CHUNK_SIZE].timestampsMs[index % CHUNK_SIZE];
  }

  private double value(int index) {
    return chunks[index / CHUNK_SIZE].values[index % CHUNK_SIZE];
  }

  /** Adds all samples of another object, which is not changed. */
  void addAll(Samples other) {
    if (other.overflowed) {
      overflow();
    }
    int added = other.size;
    for (int i = 0; i < added; i++) {
      add(other.timestampMs(i), other.value(i));
    }
  }

  /** The sums of all samples; owned by this object, must not be changed. */
  SampleSums sums() {
    if (sums == null) {
      sums = new SampleSums();
    }
    if (inOrder) {
      for (int i = Math.max(1, summed); i < size; i++) {
        step(i - 1, i);
      }
    } else if (summed < size) {
      insert(order == null ? IntStream.range(0, summed).toArray() : order);
    }
    summed = size;
    return sums;
  }

  private void step(int sample, int next) {
    sums.step(value(sample), value(next), timestampMs(next) - timestampMs(sample));
  }

  /** Adds the samples without sums at their places among the others. */
  private void insert(int[] old) {
    order = new int[size];
    int from = 0;
    int into = 0;
    int[] more =
        IntStream.range(summed, size).boxed().sorted(this::compare).mapToInt(i -> i).toArray();
    for (int sample : more) {
      int at = placeOf(sample, old, from);
      System.arraycopy(old, from, order, into, at - from);
      into += at - from;
      from = at;
      if (into > 0) {
        step(order[into - 1], sample);
      }
      if (from < old.length) {
        step(sample, old[from]);
      }
      if (into > 0 && from < old.length) {
        int before = order[into - 1];
        long heldMs = timestampMs(old[from]) - timestampMs(before);
        sums.takeBack(value(before), value(old[from]), heldMs);
      }
      order[into++] = sample;
    }
    System.arraycopy(old, from, order, into, old.length - from);
  }

  /** The first index, at or after another, of a sample that is not before a sample. */
  private int placeOf(int sample, int[] ordered, int from) {
    int low = from;
    int high = ordered.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(ordered[middle], sample) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int sample, int other) {
    int byTime = Long.compare(timestampMs(sample), timestampMs(other));
    return byTime != 0 ? byTime : Double.compare(value(sample), value(other));
  }

  public int size() {
    return size;
  }

  /** A chunk with samples: the first is 0. */
  public Chunk chunk(int index) {
    return chunks[index];
  }

  /** Number of chunks for a number of samples. */
  public static int chunksOf(int samples) {
    return (samples + CHUNK_SIZE - 1) / CHUNK_SIZE;
  }

  /** Number of samples that are written; more than the current ones after an overflow. */
  public int written() {
    return written;
  }

  /** Marks all samples as written. */
  public void allWritten() {
    written = size;
  }

  /** Restores a chunk, in any order; null removes it. */
  public void restore(int index, Chunk chunk) {
    if (index >= chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(index + 1, chunks.length * 2));
    }
    size += sizeOf(chunk) - sizeOf(chunks[index]);
    chunks[index] = chunk;
    open = null;
  }

  private static int sizeOf(Chunk chunk) {
    return chunk == null ? 0 : chunk.size;
  }

  /** Sets the number of written samples, which must be restored. */
  public void expect(int samples) {
    written = samples;
  }

  /**
   * Resumes after the restore of all chunks.
   *
   * @return whether they are complete
   */
  public boolean resume() {
    if (size != written) {
      return false;
    }
    for (int i = 0; i < chunksOf(size); i++) {
      if (sizeOf(chunks[i]) != Math.min(CHUNK_SIZE, size - i * CHUNK_SIZE)) {
        return false;
      }
    }
    forgetSums();
    inOrder = true;
    lastMs = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      observeOrder(timestampMs(i), value(i));
    }
    return true;
  }
}

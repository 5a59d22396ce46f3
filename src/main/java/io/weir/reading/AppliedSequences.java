package io.weir.reading;

import java.util.Arrays;

/**
 * The sequences of a gateway that were applied since its last write, in order: the written state
 * plus these sequences is the state in memory. Consecutive sequences form a run. Not thread-safe.
 */
public final class AppliedSequences {
  /** Above this number of runs a gateway is written completely. */
  public static final int MOST_RUNS = 16;

  /** Above this number of sequences a gateway is written completely. */
  public static final int MOST_SEQUENCES = 1 << 16;

  private final long bootBefore;
  private final long highestBefore;
  private long[] boots = new long[1];
  private long[] firsts = new long[1];
  private int[] counts = new int[1];
  private int runs;
  private int sequences;
  private boolean more;

  /**
   * @param before the gateway at its last write
   */
  AppliedSequences(GatewaySequences before) {
    this.bootBefore = before.newestBootId();
    this.highestBefore = before.newestHighest();
  }

  /** A sequence was applied. */
  void add(long bootId, long sequence) {
    sequences++;
    int last = runs - 1;
    if (last >= 0 && boots[last] == bootId && firsts[last] + counts[last] == sequence) {
      counts[last]++;
      return;
    }
    if (runs == MOST_RUNS) {
      more = true;
      return;
    }
    if (runs == boots.length) {
      boots = Arrays.copyOf(boots, MOST_RUNS);
      firsts = Arrays.copyOf(firsts, MOST_RUNS);
      counts = Arrays.copyOf(counts, MOST_RUNS);
    }
    boots[runs] = bootId;
    firsts[runs] = sequence;
    counts[runs] = 1;
    runs++;
  }

  /** The gateway changed in another way. */
  void addOther() {
    more = true;
  }

  /** Whether these sequences are the only change and within the limits. */
  public boolean isAll() {
    return !more && sequences <= MOST_SEQUENCES;
  }

  /** The newest boot at the last write; 0 for none. */
  public long bootBefore() {
    return bootBefore;
  }

  /** The highest sequence of the newest boot at the last write; 0 for none. */
  public long highestBefore() {
    return highestBefore;
  }

  /** How many runs there are. */
  public int runs() {
    return runs;
  }

  /** The boot of a run. */
  public long bootId(int run) {
    return boots[run];
  }

  /** The first sequence of a run. */
  public long first(int run) {
    return firsts[run];
  }

  /** How many sequences a run has. */
  public int count(int run) {
    return counts[run];
  }
}

package io.weir.reading;

import java.util.Arrays;

/**
 * The sequences of one start of a gateway on one partition: the highest that was applied and, one
 * by one, which of the {@value #REMEMBERED} below it were. 200 bytes; every call is O(1), but for
 * {@link #apply}, which costs a step for each sequence skipped, up to {@value #REMEMBERED}.
 *
 * <p>Sequences are remembered one by one from a floor on only, which was applied itself. Of those
 * below it nobody knows any more whether they came, so they are refused and not reported as lost.
 */
public final class BootSequences {
  /** How many sequences below the highest are remembered one by one. */
  public static final int REMEMBERED = 1024;

  /** The largest step from the highest sequence to the next that is accepted. */
  public static final long MAX_JUMP = 1L << 20;

  private static final int WORDS = REMEMBERED / Long.SIZE;

  private final long bootId;
  private final long floor;
  private long highest;
  private long lostForGood;

  /** A ring: bit {@code s % 1024} stands for the one s in [highest - 1024, highest - 1]. */
  private final long[] seen;

  private int seenCount;

  public BootSequences(long bootId) {
    this(bootId, 0, 0, 0, new long[WORDS]);
  }

  /** From what {@link #bits()} and the other getters returned when it was written. */
  public BootSequences(long bootId, long floor, long highest, long lostForGood, long[] bits) {
    this.bootId = bootId;
    this.floor = floor;
    this.highest = highest;
    this.lostForGood = lostForGood;
    this.seen = bits;
    for (long word : bits) {
      seenCount += Long.bitCount(word);
    }
  }

  /** From what the getters returned when it was written, if it was {@link #complete()} then. */
  public static BootSequences complete(long bootId, long floor, long highest, long lostForGood) {
    BootSequences boot = new BootSequences(bootId, floor, highest, lostForGood, new long[WORDS]);
    for (long sequence = highest - boot.remembered(); sequence < highest; sequence++) {
      boot.set(sequence);
    }
    return boot;
  }

  /** A boot of which the highest sequence alone is known: it goes on from there. */
  static BootSequences from(long bootId, long highest) {
    return complete(bootId, highest, highest, 0);
  }

  /** What a sequence is: new, a repeat, or refused. Changes nothing. */
  BatchVerdict judge(long sequence) {
    if (sequence > highest) {
      return sequence - highest > MAX_JUMP ? BatchVerdict.INVALID_SEQUENCE : BatchVerdict.NEW;
    }
    if (sequence == highest) {
      return BatchVerdict.DUPLICATE;
    }
    if (sequence < floor || sequence < highest - REMEMBERED) {
      return BatchVerdict.STALE;
    }
    return sequence == floor || isSeen(sequence) ? BatchVerdict.DUPLICATE : BatchVerdict.NEW;
  }

  /** Takes a sequence that is {@link BatchVerdict#NEW} as applied. */
  void apply(long sequence) {
    if (sequence < highest) {
      set(sequence);
      return;
    }
    if (sequence - highest > REMEMBERED) {
      lostForGood += remembered() - seenCount + (sequence - REMEMBERED - 1 - highest);
      Arrays.fill(seen, 0);
      seenCount = 0;
    } else {
      for (long skipped = highest + 1; skipped < sequence; skipped++) {
        forget(skipped - REMEMBERED);
      }
      if (highest > 0) {
        forget(highest - REMEMBERED);
        set(highest);
      }
    }
    highest = sequence;
  }

  private void forget(long sequence) {
    if (sequence <= 0) {
      return;
    }
    if (isSeen(sequence)) {
      seen[word(sequence)] &= ~(1L << sequence);
      seenCount--;
    } else {
      lostForGood++;
    }
  }

  private boolean isSeen(long sequence) {
    return (seen[word(sequence)] & (1L << sequence)) != 0;
  }

  private void set(long sequence) {
    seen[word(sequence)] |= 1L << sequence;
    seenCount++;
  }

  private static int word(long sequence) {
    return (int) (sequence & (REMEMBERED - 1)) >>> 6;
  }

  /** How many sequences below the highest there are to remember. */
  private long remembered() {
    return Math.min(Math.max(0, highest - 1), REMEMBERED);
  }

  /** Sequences below the highest that have not come and still may. */
  public long missing() {
    return remembered() - seenCount;
  }

  public long bootId() {
    return bootId;
  }

  public long highest() {
    return highest;
  }

  /** Up to here nothing is remembered one by one; 0 where all is. */
  public long floor() {
    return floor;
  }

  /** Sequences that had not come when they left the memory: they are lost. */
  public long lostForGood() {
    return lostForGood;
  }

  /**
   * Whether none of the sequences below one that was applied has yet to come: of those that may
   * still be applied none is missing. Costs a step for each remembered one, if any is missing.
   */
  boolean isCompleteBelow(long sequence) {
    if (complete()) {
      return true;
    }
    for (long below = Math.max(floor + 1, highest - REMEMBERED); below < sequence; below++) {
      if (!isSeen(below)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all that is remembered has come: then {@link #bits()} need not be kept. */
  public boolean complete() {
    return seenCount == remembered();
  }

  /** The ring, bit {@code sequence % 1024}; not to be changed. */
  public long[] bits() {
    return seen;
  }
}

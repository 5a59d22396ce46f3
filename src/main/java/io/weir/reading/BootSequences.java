package io.weir.reading;

import java.util.Arrays;

/**
 * The sequences of one boot of a gateway on one partition: the highest applied one and a bitmap of
 * the {@value #REMEMBERED} below it. 200 bytes; every call is O(1), except {@link #apply}, which
 * costs a step per skipped sequence, up to {@value #REMEMBERED}.
 *
 * <p>Of sequences below the floor, which was applied itself, only those in the bitmap are known to
 * have been applied. The others are refused and not reported as lost.
 */
public final class BootSequences {
  /** Number of sequences below the highest in the bitmap. */
  public static final int REMEMBERED = 1024;

  /** The largest step from the highest sequence to the next that is accepted. */
  public static final long MAX_JUMP = 1L << 20;

  private static final int WORDS = REMEMBERED / Long.SIZE;

  private final long bootId;
  private long floor;
  private long highest;
  private long lostForGood;

  /** A ring: bit {@code s % 1024} stands for the one s in [highest - 1024, highest - 1]. */
  private final long[] seen;

  /** Bits above the floor. */
  private int seenCount;

  /** Bits below the floor. */
  private int seenBelow;

  /** Whether records after the highest sequence may have been deleted before they were read. */
  private boolean cut;

  public BootSequences(long bootId) {
    this(bootId, 0, 0, 0, new long[WORDS]);
  }

  /** Restores it from the values of {@link #bits()} and the other getters. */
  public BootSequences(long bootId, long floor, long highest, long lostForGood, long[] bits) {
    this.bootId = bootId;
    this.floor = floor;
    this.highest = highest;
    this.lostForGood = lostForGood;
    this.seen = bits;
    count();
  }

  private void count() {
    seenCount = 0;
    seenBelow = 0;
    for (long sequence = Math.max(1, highest - REMEMBERED); sequence < highest; sequence++) {
      if (isSeen(sequence)) {
        counted(sequence, 1);
      }
    }
  }

  private void counted(long sequence, int bits) {
    if (sequence > floor) {
      seenCount += bits;
    } else {
      seenBelow += bits;
    }
  }

  /** Restores it from the values of the getters, if it was {@link #complete()}. */
  public static BootSequences complete(long bootId, long floor, long highest, long lostForGood) {
    BootSequences boot = new BootSequences(bootId, floor, highest, lostForGood, new long[WORDS]);
    for (long sequence = highest - boot.remembered(); sequence < highest; sequence++) {
      boot.set(sequence);
    }
    return boot;
  }

  /** A boot of which only the highest sequence is known. */
  static BootSequences from(long bootId, long highest) {
    return complete(bootId, highest, highest, 0);
  }

  /**
   * Records of the partition were deleted before they were read, or lost with a state: which of the
   * missing sequences were applied is unknown, and any may be missing up to the next.
   */
  void cut() {
    raiseFloor(highest);
    cut = true;
  }

  private void raiseFloor(long sequence) {
    lostForGood += missing();
    if (floor > 0 && floor < highest && floor >= highest - REMEMBERED) {
      seen[word(floor)] |= 1L << floor;
    }
    floor = sequence;
    count();
  }

  /** Whether it was {@link #cut()} since its last new sequence. */
  public boolean isCut() {
    return cut;
  }

  /** Restores {@link #isCut()}. */
  public void restoreCut(boolean isCut) {
    cut = isCut;
  }

  /** Whether only the highest sequence is known. */
  boolean isMark() {
    return floor == highest && seenBelow == 0;
  }

  /** Whether a sequence is new, a duplicate or refused. No side effects. */
  BatchVerdict judge(long sequence) {
    if (sequence > highest) {
      return !cut && sequence - highest > MAX_JUMP
          ? BatchVerdict.INVALID_SEQUENCE
          : BatchVerdict.NEW;
    }
    if (sequence == highest) {
      return BatchVerdict.DUPLICATE;
    }
    if (sequence < highest - REMEMBERED) {
      return BatchVerdict.STALE;
    }
    if (sequence == floor || isSeen(sequence)) {
      return BatchVerdict.DUPLICATE;
    }
    return sequence < floor ? BatchVerdict.STALE : BatchVerdict.NEW;
  }

  /** Applies a sequence that is {@link BatchVerdict#NEW}. */
  void apply(long sequence) {
    if (sequence < highest) {
      set(sequence);
      return;
    }
    if (cut) {
      raiseFloor(sequence);
      cut = false;
    }
    if (sequence - highest > REMEMBERED) {
      lostForGood += missing() + Math.max(0, sequence - REMEMBERED - 1 - Math.max(highest, floor));
      Arrays.fill(seen, 0);
      seenCount = 0;
      seenBelow = 0;
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
      counted(sequence, -1);
    } else if (sequence > floor) {
      lostForGood++;
    }
  }

  private boolean isSeen(long sequence) {
    return (seen[word(sequence)] & (1L << sequence)) != 0;
  }

  private void set(long sequence) {
    if (sequence == floor) {
      return; // It needs no bit.
    }
    seen[word(sequence)] |= 1L << sequence;
    counted(sequence, 1);
  }

  private static int word(long sequence) {
    return (int) (sequence & (REMEMBERED - 1)) >>> 6;
  }

  /** Number of sequences of the bitmap that are above the floor. */
  private long remembered() {
    return Math.min(Math.max(0, highest - 1 - floor), REMEMBERED);
  }

  /** Missing sequences below the highest that may still arrive. */
  public long missing() {
    return remembered() - seenCount;
  }

  public long bootId() {
    return bootId;
  }

  public long highest() {
    return highest;
  }

  /** The sequence below which only {@link #bits()} are known; 0 if all are known. */
  public long floor() {
    return floor;
  }

  /** Sequences that were missing when they left the bitmap: they are lost. */
  public long lostForGood() {
    return lostForGood;
  }

  /**
   * Whether no sequence below an applied one is missing and may still be applied. If any is
   * missing, costs a step per bit.
   */
  boolean isCompleteBelow(long sequence) {
    if (missing() == 0) {
      return true;
    }
    for (long below = Math.max(floor + 1, highest - REMEMBERED); below < sequence; below++) {
      if (!isSeen(below)) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@link #bits()} are those above the floor: then they need not be stored. */
  public boolean complete() {
    return missing() == 0 && seenBelow == 0;
  }

  /** The ring, bit {@code sequence % 1024}; do not modify. */
  public long[] bits() {
    return seen;
  }
}

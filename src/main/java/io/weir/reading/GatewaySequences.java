package io.weir.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one gateway has sent to one partition: its newest {@value #BOOTS_KEPT} boots, each with its
 * own sequences. A boot that is evicted fences itself and all before it. A gateway that was silent
 * for long becomes a mark: its highest boot and that boot's highest sequence, so that older batches
 * do not count again, and the boot can go on. Not safe for several threads; a call costs a look at
 * each boot kept.
 */
public final class GatewaySequences {
  /** How many boots of a gateway are kept. */
  public static final int BOOTS_KEPT = 4;

  private final List<BootSequences> boots = new ArrayList<>(1);
  private long fencedThrough;
  private long lostOfEvicted;
  private long lastAppliedMs;

  public GatewaySequences() {}

  /** As the getters once gave it. */
  public GatewaySequences(
      List<BootSequences> boots, long fencedThrough, long lostOfEvicted, long lastAppliedMs) {
    this.boots.addAll(boots);
    this.fencedThrough = fencedThrough;
    this.lostOfEvicted = lostOfEvicted;
    this.lastAppliedMs = lastAppliedMs;
  }

  /** What a batch is by its boot id and sequence, both unsigned and sequenced. Changes nothing. */
  BatchVerdict judge(long bootId, long sequence) {
    BootSequences boot = boot(bootId);
    if (boot != null) {
      return boot.judge(sequence);
    }
    return bootId <= fencedThrough ? BatchVerdict.FENCED : ofNewBoot(sequence);
  }

  /** What the first batch of a boot is. */
  static BatchVerdict ofNewBoot(long sequence) {
    return sequence > BootSequences.MAX_JUMP ? BatchVerdict.INVALID_SEQUENCE : BatchVerdict.NEW;
  }

  /**
   * Takes a batch that was {@link BatchVerdict#NEW} as applied.
   *
   * @param logMs log time of the batch
   */
  public void apply(long bootId, long sequence, long logMs) {
    BootSequences boot = boot(bootId);
    if (boot == null) {
      boot = new BootSequences(bootId);
      boots.add(boot);
      boots.sort(Comparator.comparingLong(BootSequences::bootId));
    }
    boot.apply(sequence);
    if (boots.size() > BOOTS_KEPT) {
      evictOldest();
    }
    lastAppliedMs = Math.max(lastAppliedMs, logMs);
  }

  private void evictOldest() {
    BootSequences oldest = boots.remove(0);
    fencedThrough = Math.max(fencedThrough, oldest.bootId());
    lostOfEvicted += oldest.lostForGood() + oldest.missing();
  }

  /** Forgets all but the mark. */
  void becomeMark() {
    while (boots.size() > 1) {
      evictOldest();
    }
    BootSequences newest = boots.remove(0);
    lostOfEvicted += newest.lostForGood() + newest.missing();
    fencedThrough = Math.max(fencedThrough, newest.bootId() - 1);
    boots.add(BootSequences.from(newest.bootId(), newest.highest()));
  }

  /** Whether it is a mark, to which nothing was added since. */
  public boolean isMark() {
    return boots.size() == 1 && boots.get(0).floor() == boots.get(0).highest();
  }

  /**
   * Whether of the sequences below one that was applied none is missing that may still be applied.
   * Of a boot that is kept no longer none may.
   */
  boolean isCompleteBelow(long bootId, long sequence) {
    BootSequences boot = boot(bootId);
    return boot == null || boot.isCompleteBelow(sequence);
  }

  /** The newest boot; 0 where there is none. */
  public long newestBootId() {
    return boots.isEmpty() ? 0 : boots.get(boots.size() - 1).bootId();
  }

  /** The highest sequence of the newest boot; 0 where there is none. */
  public long newestHighest() {
    return boots.isEmpty() ? 0 : boots.get(boots.size() - 1).highest();
  }

  /**
   * Applies sequences that follow each other once more, as they were when this was kept.
   *
   * @param logMs log time of the last batch applied
   * @return whether all of them were new
   */
  public boolean resume(long bootId, long first, int count, long logMs) {
    for (long sequence = first; sequence < first + count; sequence++) {
      if (sequence <= 0 || judge(bootId, sequence) != BatchVerdict.NEW) {
        return false;
      }
      apply(bootId, sequence, logMs);
    }
    return true;
  }

  private BootSequences boot(long bootId) {
    for (BootSequences boot : boots) {
      if (boot.bootId() == bootId) {
        return boot;
      }
    }
    return null;
  }

  /** Batches that were skipped, have not come and still may. */
  public long missing() {
    long missing = 0;
    for (BootSequences boot : boots) {
      missing += boot.missing();
    }
    return missing;
  }

  /** Batches that were skipped and, as far as is remembered, never came. */
  public long lostForGood() {
    long lost = lostOfEvicted;
    for (BootSequences boot : boots) {
      lost += boot.lostForGood();
    }
    return lost;
  }

  /** The boots kept, oldest first; not to be changed. */
  public List<BootSequences> boots() {
    return boots;
  }

  /** The highest boot id that was evicted; 0 where none was. */
  public long fencedThrough() {
    return fencedThrough;
  }

  /** Lost batches of boots that were evicted. */
  public long lostOfEvicted() {
    return lostOfEvicted;
  }

  /** Log time of the last batch applied, in milliseconds. */
  public long lastAppliedMs() {
    return lastAppliedMs;
  }
}

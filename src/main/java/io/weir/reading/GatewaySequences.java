package io.weir.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sequences that one gateway has sent to one partition: its newest {@value #BOOTS_KEPT} boots
 * with their sequences. An evicted boot and all earlier ones are fenced. An idle gateway becomes a
 * mark: its highest boot and that boot's highest sequence, so that older batches do not count twice
 * and the boot can continue. Not thread-safe; a call visits each kept boot.
 */
public final class GatewaySequences {
  /** Number of boots that are kept per gateway. */
  public static final int BOOTS_KEPT = 4;

  private final List<BootSequences> boots = new ArrayList<>(1);
  private long fencedThrough;
  private long lostOfEvicted;
  private long lastAppliedMs;

  public GatewaySequences() {}

  /** Restores it from the values of the getters. */
  public GatewaySequences(
      List<BootSequences> boots, long fencedThrough, long lostOfEvicted, long lastAppliedMs) {
    this.boots.addAll(boots);
    this.fencedThrough = fencedThrough;
    this.lostOfEvicted = lostOfEvicted;
    this.lastAppliedMs = lastAppliedMs;
  }

  /** Judges a batch of a log of which nothing was deleted unread. */
  BatchVerdict judge(long bootId, long sequence) {
    return judge(bootId, sequence, false);
  }

  /**
   * Judges a batch by its boot id and sequence, both unsigned. No side effects.
   *
   * @param cut whether the first records of a new boot may have been deleted before they were read
   */
  BatchVerdict judge(long bootId, long sequence, boolean cut) {
    BootSequences boot = boot(bootId);
    if (boot != null) {
      return boot.judge(sequence);
    }
    return bootId <= fencedThrough ? BatchVerdict.FENCED : ofNewBoot(sequence, cut);
  }

  /** Judges the first batch of a boot. */
  static BatchVerdict ofNewBoot(long sequence, boolean cut) {
    return !cut && sequence > BootSequences.MAX_JUMP
        ? BatchVerdict.INVALID_SEQUENCE
        : BatchVerdict.NEW;
  }

  /** As below, in a log of which nothing was deleted unread. */
  void apply(long bootId, long sequence, long logMs) {
    apply(bootId, sequence, logMs, false);
  }

  /**
   * Applies a batch that was {@link BatchVerdict#NEW}.
   *
   * @param logMs log time of the batch
   * @param cut whether the first records of a new boot may have been deleted before they were read:
   *     it begins here, since nobody knows whether a sequence below was applied
   */
  void apply(long bootId, long sequence, long logMs, boolean cut) {
    BootSequences boot = boot(bootId);
    if (boot == null && cut) {
      add(BootSequences.from(bootId, sequence));
    } else if (boot == null) {
      boot = new BootSequences(bootId);
      add(boot);
      boot.apply(sequence);
    } else {
      boot.apply(sequence);
    }
    if (boots.size() > BOOTS_KEPT) {
      evictOldest();
    }
    lastAppliedMs = Math.max(lastAppliedMs, logMs);
  }

  private void add(BootSequences boot) {
    boots.add(boot);
    boots.sort(Comparator.comparingLong(BootSequences::bootId));
  }

  private void evictOldest() {
    BootSequences oldest = boots.remove(0);
    fencedThrough = Math.max(fencedThrough, oldest.bootId());
    lostOfEvicted += oldest.lostForGood() + oldest.missing();
  }

  /** Records of the partition were deleted before they were read, or lost with a state. */
  void cut() {
    boots.forEach(BootSequences::cut);
  }

  /** Drops everything except the mark. */
  void becomeMark() {
    while (boots.size() > 1) {
      evictOldest();
    }
    BootSequences newest = boots.remove(0);
    lostOfEvicted += newest.lostForGood() + newest.missing();
    fencedThrough = Math.max(fencedThrough, newest.bootId() - 1);
    BootSequences mark = BootSequences.from(newest.bootId(), newest.highest());
    mark.restoreCut(newest.isCut());
    boots.add(mark);
  }

  /** Whether it is a mark without later batches. */
  public boolean isMark() {
    return boots.size() == 1 && boots.get(0).isMark() && fencedThrough >= newestBootId() - 1;
  }

  /**
   * Whether no sequence below an applied one is missing and may still be applied. True for boots
   * that are no longer kept.
   */
  boolean isCompleteBelow(long bootId, long sequence) {
    BootSequences boot = boot(bootId);
    return boot == null || boot.isCompleteBelow(sequence);
  }

  /** The newest boot; 0 for none. */
  public long newestBootId() {
    return boots.isEmpty() ? 0 : boots.get(boots.size() - 1).bootId();
  }

  /** The highest sequence of the newest boot; 0 for none. */
  public long newestHighest() {
    return boots.isEmpty() ? 0 : boots.get(boots.size() - 1).highest();
  }

  /**
   * Reapplies consecutive sequences when the state is restored.
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

  /** Whether a boot is kept. */
  boolean knows(long bootId) {
    return boot(bootId) != null;
  }

  private BootSequences boot(long bootId) {
    for (BootSequences boot : boots) {
      if (boot.bootId() == bootId) {
        return boot;
      }
    }
    return null;
  }

  /** Missing batches that may still arrive. */
  public long missing() {
    long missing = 0;
    for (BootSequences boot : boots) {
      missing += boot.missing();
    }
    return missing;
  }

  /** Missing batches that can no longer be applied. */
  public long lostForGood() {
    long lost = lostOfEvicted;
    for (BootSequences boot : boots) {
      lost += boot.lostForGood();
    }
    return lost;
  }

  /** The kept boots, oldest first; do not modify. */
  public List<BootSequences> boots() {
    return boots;
  }

  /** The highest evicted boot id; 0 for none. */
  public long fencedThrough() {
    return fencedThrough;
  }

  /** Lost batches of evicted boots. */
  public long lostOfEvicted() {
    return lostOfEvicted;
  }

  /** Log time of the last batch applied, in milliseconds. */
  public long lastAppliedMs() {
    return lastAppliedMs;
  }
}

package io.weir.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one gateway has sent to one partition: its newest {@value #BOOTS_KEPT} boots, each with its
 * own sequences. A boot that is let go fences itself and all before it. Not safe for several
 * threads; a call costs a look at each boot kept.
 */
public final class GatewaySequences {
  /** How many boots of a gateway are kept. */
  public static final int BOOTS_KEPT = 4;

  private final List<BootSequences> boots = new ArrayList<>(1);
  private long fencedThrough;
  private long lostOfLetGo;
  private long lastAppliedMs;

  public GatewaySequences() {}

  /** As the getters once gave it. */
  public GatewaySequences(
      List<BootSequences> boots, long fencedThrough, long lostOfLetGo, long lastAppliedMs) {
    this.boots.addAll(boots);
    this.fencedThrough = fencedThrough;
    this.lostOfLetGo = lostOfLetGo;
    this.lastAppliedMs = lastAppliedMs;
  }

  /**
   * What a batch is by its boot id and sequence, both unsigned. Changes nothing.
   *
   * @param gateway what is known of the batch's gateway; null where nothing is
   */
  public static BatchVerdict judge(GatewaySequences gateway, long bootId, long sequence) {
    if (bootId < 0 || sequence < 0 || (bootId > 0 && sequence == 0)) {
      return BatchVerdict.INVALID_SEQUENCE;
    }
    if (bootId == 0) {
      return BatchVerdict.UNSEQUENCED;
    }
    BootSequences boot = gateway == null ? null : gateway.boot(bootId);
    if (boot != null) {
      return boot.judge(sequence);
    }
    if (gateway != null && bootId <= gateway.fencedThrough) {
      return BatchVerdict.FENCED;
    }
    return sequence > BootSequences.MAX_JUMP ? BatchVerdict.INVALID_SEQUENCE : BatchVerdict.NEW;
  }

  /** Takes a batch that was {@link BatchVerdict#NEW} as applied. */
  public void apply(long bootId, long sequence, long appendTimeMs) {
    BootSequences boot = boot(bootId);
    if (boot == null) {
      boot = new BootSequences(bootId);
      boots.add(boot);
      boots.sort(Comparator.comparingLong(BootSequences::bootId));
    }
    boot.apply(sequence);
    if (boots.size() > BOOTS_KEPT) {
      BootSequences oldest = boots.remove(0);
      fencedThrough = oldest.bootId();
      lostOfLetGo += oldest.lost();
    }
    lastAppliedMs = Math.max(lastAppliedMs, appendTimeMs);
  }

  private BootSequences boot(long bootId) {
    for (BootSequences boot : boots) {
      if (boot.bootId() == bootId) {
        return boot;
      }
    }
    return null;
  }

  /** Batches that were skipped and have not come. */
  public long lost() {
    long lost = lostOfLetGo;
    for (BootSequences boot : boots) {
      lost += boot.lost();
    }
    return lost;
  }

  /** The boots kept, oldest first; not to be changed. */
  public List<BootSequences> boots() {
    return boots;
  }

  /** The highest boot id that was let go; 0 where none was. */
  public long fencedThrough() {
    return fencedThrough;
  }

  /** Lost batches of boots that were let go. */
  public long lostOfLetGo() {
    return lostOfLetGo;
  }

  /** Append time of the last batch applied, milliseconds since the Unix epoch. */
  public long lastAppliedMs() {
    return lastAppliedMs;
  }
}

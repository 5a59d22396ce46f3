package io.weir.internal.permission;

import io.weir.reading.IdPermit;
import io.weir.reading.RejectReason;

/** The permissions of one gateway. Immutable. */
public final class Permit {
  /** The permissions of a gateway without an entry. */
  static final Permit NONE = new Permit(null, Permit::nothing, Permit::nothing);

  /** The permissions of each gateway where there is no file. */
  public static final Permit ALL = new Permit(GatewayEntry.ANY, IdPermit.ALL, IdPermit.ALL);

  /** The permissions of Weir's own gateways, which write events of any key. */
  static final Permit OWN = new Permit(GatewayEntry.ANY, Permit::nothing, IdPermit.ALL);

  private final GatewayEntry entry;
  private final IdPermit sensors;
  private final IdPermit keys;

  Permit(GatewayEntry entry, IdPermit sensors, IdPermit keys) {
    this.entry = entry;
    this.sensors = sensors;
    this.keys = keys;
  }

  private static boolean nothing(byte[] bytes, int offset, int length) {
    return false;
  }

  /**
   * The reason to refuse a batch of the gateway as a whole, or null.
   *
   * @param bootId boot id of the batch, unsigned; 0 for none
   * @param redriven whether it is a dead letter or late record from a redrive: its key was checked
   *     at its first arrival, and its boot too if only some of its readings are left
   * @param keyGeneration generation of its signing key; 0 if it is not signed
   */
  public RejectReason refusal(long bootId, boolean redriven, int keyGeneration) {
    if (entry == null) {
      return RejectReason.NOT_ITS_SENSOR;
    }
    boolean oldBoot =
        Long.compareUnsigned(bootId, entry.lowestBoot()) < 0 && !(redriven && bootId == 0);
    boolean oldKey = keyGeneration < entry.lowestGeneration() && !redriven;
    return entry.revoked() || oldBoot || oldKey ? RejectReason.REVOKED : null;
  }

  /** The sensors that it may publish. */
  public IdPermit sensors() {
    return sensors;
  }

  /** The keys of events that it may publish. */
  public IdPermit keys() {
    return keys;
  }
}

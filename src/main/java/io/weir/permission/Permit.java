package io.weir.permission;

import io.weir.reading.RejectReason;
import io.weir.reading.SensorPermit;

/** The permissions of one gateway. Immutable. */
public final class Permit implements SensorPermit {
  /** The permissions of a gateway without an entry. */
  static final Permit NONE = new Permit(null, (bytes, offset, length) -> false);

  private final GatewayEntry entry;
  private final SensorPermit sensors;

  Permit(GatewayEntry entry, SensorPermit sensors) {
    this.entry = entry;
    this.sensors = sensors;
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

  @Override
  public boolean allows(byte[] bytes, int offset, int length) {
    return sensors.allows(bytes, offset, length);
  }
}

package io.weir.permission;

import io.weir.reading.RejectReason;
import io.weir.reading.SensorPermit;

/** What one gateway may. Immutable. */
public final class Permit implements SensorPermit {
  /** Of a gateway that is nowhere in the file. */
  static final Permit NONE = new Permit(null, (bytes, offset, length) -> false);

  private final GatewayEntry entry;
  private final SensorPermit sensors;

  Permit(GatewayEntry entry, SensorPermit sensors) {
    this.entry = entry;
    this.sensors = sensors;
  }

  /**
   * Why a batch of the gateway is refused as a whole, or null.
   *
   * @param bootId of the batch, unsigned; 0 where it has none
   * @param redriven whether it is a dead letter or a late record that was sent again: its key was
   *     looked at when it first came, and so was the boot where only some of its readings are left
   * @param keyGeneration of the key that it is signed with; 0 where it is not signed
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

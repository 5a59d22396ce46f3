package io.weir.lab.oracle;

/** Which gateway may publish which sensors, written from the design alone. */
public interface NaivePermissions {
  /** Whether a gateway is named at all. */
  boolean names(String gatewayId);

  /**
   * Whether nothing of a batch counts, as its gateway is revoked or its boot too old.
   *
   * @param redriven whether it is a dead letter or a late record that was sent again
   */
  boolean revokes(String gatewayId, long bootId, boolean redriven);

  /** Whether a gateway may publish a sensor. */
  boolean allows(String gatewayId, String sensorId);
}

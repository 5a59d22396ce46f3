package io.weir.lab;

/** Makes the gateways' ways to the brokers. */
interface Uplinks {
  /** For a gateway that is to lose nothing. */
  Uplink honest(GatewayRole role);

  /** For a gateway that goes wrong in ways Weir's publisher would not let it. */
  FaultyUplink faulty(GatewayRole role);
}

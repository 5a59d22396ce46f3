package io.weir.lab;

import java.util.Locale;

/** The gateways of the fleet, each with its own way of going wrong. */
public enum GatewayRole {
  /** Never does anything wrong; but one of its sensors sends old readings now and then. */
  STEADY,
  /** Loses its network, and comes back with its backlog. */
  TRAVELLING,
  /** Its clock jumps ahead, further than is accepted. */
  FAST_CLOCK,
  /** Its clock is behind, all the time. */
  SLOW_CLOCK,
  /** Sends its batches again, as if it had missed the answers. */
  REPEATING,
  /** Sends to wrong partitions, sends what is no number, and what is no batch at all. */
  BROKEN;

  /** Its name as a gateway. */
  public String gatewayId() {
    return "gateway-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it goes wrong in ways that Weir's own publisher would not let it. */
  public boolean homemade() {
    return this == REPEATING || this == BROKEN;
  }
}

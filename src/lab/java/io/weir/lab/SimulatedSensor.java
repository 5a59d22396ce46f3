package io.weir.lab;

import java.util.Locale;

/**
 * One sensor of the fleet.
 *
 * @param id its name everywhere
 * @param signal what it measures
 * @param character 0 to 1, what makes it differ from others of its kind
 * @param gateway the one it publishes through
 */
public record SimulatedSensor(String id, Signal signal, double character, GatewayRole gateway) {
  private static final Signal[] SIGNALS = Signal.values();
  private static final GatewayRole[] GATEWAYS = GatewayRole.values();

  /** The sensor of a number: signals take turns, and so do gateways. */
  static SimulatedSensor of(int number, SeededChance chance) {
    Signal signal = SIGNALS[number % SIGNALS.length];
    GatewayRole gateway = GATEWAYS[number / SIGNALS.length % GATEWAYS.length];
    String id = String.format(Locale.ROOT, "%s-%04d", signal.prefix(), number);
    return new SimulatedSensor(id, signal, chance.unit(number), gateway);
  }

  /**
   * @param chance -1 to 1
   */
  double valueAt(long timestampMs, double chance) {
    return signal.at(timestampMs, character, chance);
  }
}

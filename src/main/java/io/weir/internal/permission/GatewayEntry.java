package io.weir.internal.permission;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An entry of the file: the permissions of a gateway, or of all gateways with matching ids.
 * Immutable.
 *
 * @param gateway gateway id or pattern
 * @param sensors patterns of the sensors that it may publish
 * @param keys patterns of the keys of events that it may publish
 * @param lowestBoot lowest accepted boot id; 0 if not set
 * @param lowestGeneration lowest accepted generation of its keys; 0 if not set
 * @param revoked whether all its batches are refused
 */
record GatewayEntry(
    IdPattern gateway,
    List<IdPattern> sensors,
    List<IdPattern> keys,
    long lowestBoot,
    int lowestGeneration,
    boolean revoked) {
  /** Refuses nothing. */
  static final GatewayEntry ANY =
      new GatewayEntry(IdPattern.of("*"), List.of(), List.of(), 0, 0, false);

  GatewayEntry {
    sensors = List.copyOf(sensors);
    keys = List.copyOf(keys);
  }

  /** The permissions of a gateway by this entry. */
  Permit permit(String gatewayId) {
    byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
    return new Permit(this, set(sensors, id), set(keys, id));
  }

  private static SensorSet set(List<IdPattern> patterns, byte[] gatewayId) {
    return new SensorSet(patterns.stream().map(pattern -> pattern.with(gatewayId)).toList());
  }

  /** The entry in one line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(gateway.toString()).append(": ");
    if (revoked) {
      return text.append("revoked").toString();
    }
    text.append(sensors.size()).append(sensors.size() == 1 ? " pattern" : " patterns");
    if (!keys.isEmpty()) {
      text.append(", ").append(keys.size()).append(" of keys");
    }
    if (lowestBoot > 0) {
      text.append(", boots from ").append(lowestBoot);
    }
    if (lowestGeneration > 0) {
      text.append(", keys from generation ").append(lowestGeneration);
    }
    return text.toString();
  }
}

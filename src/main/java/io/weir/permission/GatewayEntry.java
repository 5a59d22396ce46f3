package io.weir.permission;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An entry of the file: the permissions of a gateway, or of all gateways with matching ids.
 * Immutable.
 *
 * @param gateway gateway id or pattern
 * @param sensors patterns of the sensors that it may publish
 * @param lowestBoot lowest accepted boot id; 0 if not set
 * @param lowestGeneration lowest accepted generation of its keys; 0 if not set
 * @param revoked whether all its batches are refused
 */
record GatewayEntry(
    IdPattern gateway,
    List<IdPattern> sensors,
    long lowestBoot,
    int lowestGeneration,
    boolean revoked) {
  GatewayEntry {
    sensors = List.copyOf(sensors);
  }

  /** The permissions of a gateway by this entry. */
  Permit permit(String gatewayId) {
    byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
    List<IdPattern> patterns = sensors.stream().map(pattern -> pattern.with(id)).toList();
    return new Permit(this, new SensorSet(patterns));
  }

  /** The entry in one line. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(gateway.toString()).append(": ");
    if (revoked) {
      return text.append("revoked").toString();
    }
    text.append(sensors.size()).append(sensors.size() == 1 ? " pattern" : " patterns");
    if (lowestBoot > 0) {
      text.append(", boots from ").append(lowestBoot);
    }
    if (lowestGeneration > 0) {
      text.append(", keys from generation ").append(lowestGeneration);
    }
    return text.toString();
  }
}

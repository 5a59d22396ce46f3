package io.weir.permission;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a file says of a gateway, or of all whose ids fit a pattern. Immutable.
 *
 * @param gateway its id or the pattern
 * @param sensors those that it may publish
 * @param lowestBoot of the boot ids that are accepted, the lowest; 0 where none is asked for
 * @param lowestGeneration of its keys that are accepted, the lowest; 0 where none is asked for
 * @param revoked whether nothing of it is accepted
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

  /** What it means for a gateway. */
  Permit permit(String gatewayId) {
    byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
    List<IdPattern> own = sensors.stream().map(pattern -> pattern.with(id)).toList();
    return new Permit(this, new SensorSet(own));
  }

  /** In a line. */
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

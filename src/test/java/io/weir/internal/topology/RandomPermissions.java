package io.weir.internal.topology;

import io.weir.internal.permission.PermissionFile;
import io.weir.internal.permission.Permissions;
import io.weir.lab.oracle.NaivePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * A random file for the gateways and sensors of {@link io.weir.oracle.RandomBatches}, and what it
 * means, by regular expressions.
 */
final class RandomPermissions implements NaivePermissions {
  private static final List<String> GATEWAYS =
      List.of("gw-a", "gw-b", "шлюз", "gw-*", "*", "????", "unsequenced", "*-b");
  private static final List<String> SENSORS =
      List.of("*", "sensor-*", "s?nsor-?", "s*-1*", "sensor-1??", "unknown-*", "{gateway}/*", "*?");

  private record Entry(String gateway, List<String> sensors, long lowestBoot, boolean revoked) {}

  private final List<Entry> entries = new ArrayList<>();

  RandomPermissions(Random random) {
    List<String> gateways = new ArrayList<>(GATEWAYS);
    int size = random.nextInt(5);
    for (int i = 0; i < size; i++) {
      List<String> sensors = new ArrayList<>();
      for (int n = random.nextInt(3); n >= 0; n--) {
        sensors.add(SENSORS.get(random.nextInt(SENSORS.size())));
      }
      entries.add(
          new Entry(
              gateways.remove(random.nextInt(gateways.size())),
              sensors,
              random.nextInt(4) == 0 ? random.nextInt(4) : 0,
              random.nextInt(6) == 0));
    }
  }

  Permissions file() {
    StringBuilder yaml = new StringBuilder("gateways:").append(entries.isEmpty() ? " []\n" : "\n");
    for (Entry entry : entries) {
      yaml.append("  - gateway: \"").append(entry.gateway).append("\"\n    sensors: [");
      entry.sensors.forEach(sensor -> yaml.append('"').append(sensor).append("\", "));
      yaml.append("]\n    lowest-boot: ").append(entry.lowestBoot);
      yaml.append("\n    revoked: ").append(entry.revoked).append('\n');
    }
    return PermissionFile.parse("gateways.yaml", yaml.toString(), false);
  }

  /** The entry of a gateway, or null. */
  private Entry of(String gatewayId) {
    Entry found = null;
    for (Entry entry : entries) {
      if (entry.gateway.equals(gatewayId)) {
        return entry;
      }
      boolean fits = !gatewayId.isEmpty() && fits(entry.gateway, gatewayId, gatewayId);
      found = found == null && fits ? entry : found;
    }
    return found;
  }

  private static boolean fits(String pattern, String gatewayId, String id) {
    StringBuilder regex = new StringBuilder();
    String named = pattern.replace("{gateway}", "\0");
    for (int i = 0; i < named.length(); i++) {
      char each = named.charAt(i);
      switch (each) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        case '\0' -> regex.append(Pattern.quote(gatewayId));
        default -> regex.append(Pattern.quote(String.valueOf(each)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(id).matches();
  }

  @Override
  public boolean names(String gatewayId) {
    return of(gatewayId) != null;
  }

  @Override
  public boolean revokes(String gatewayId, long bootId, boolean redriven) {
    Entry entry = of(gatewayId);
    boolean old = Long.compareUnsigned(bootId, entry.lowestBoot) < 0;
    return entry.revoked || (old && !(redriven && bootId == 0));
  }

  @Override
  public boolean allows(String gatewayId, String sensorId) {
    return of(gatewayId).sensors.stream().anyMatch(each -> fits(each, gatewayId, sensorId));
  }
}

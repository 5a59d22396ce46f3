package io.weir.permission;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One version of the file: which gateway may publish which sensors. Immutable. */
public final class Permissions {
  private final List<GatewayEntry> entries;
  private final Map<String, GatewayEntry> byId = new HashMap<>();
  private final List<GatewayEntry> byPattern;

  Permissions(List<GatewayEntry> entries) {
    this.entries = List.copyOf(entries);
    this.byPattern = entries.stream().filter(entry -> !entry.gateway().isExact()).toList();
    entries.stream()
        .filter(entry -> entry.gateway().isExact())
        .forEach(entry -> byId.put(entry.gateway().toString(), entry));
  }

  /**
   * What a gateway may: by the entry that has its id, or else by the first one whose pattern fits.
   * Nothing where there is none, and where the gateway has no id. Costs a pass over its entry.
   */
  public Permit permit(String gatewayId) {
    GatewayEntry own = byId.get(gatewayId);
    if (own == null && !gatewayId.isEmpty()) {
      byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
      for (GatewayEntry entry : byPattern) {
        if (entry.gateway().fits(id, 0, id.length)) {
          own = entry;
          break;
        }
      }
    }
    return own == null ? Permit.NONE : own.permit(gatewayId);
  }

  /** How many entries there are. */
  public int size() {
    return entries.size();
  }

  /** Each entry in a line. */
  public List<String> lines() {
    return entries.stream().map(GatewayEntry::toString).toList();
  }
}

package io.weir.internal.permission;

import io.weir.reading.OwnSequences;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A version of the file: the sensors and keys that each gateway may publish. Immutable. */
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
   * The permissions of a gateway, by the entry with its id, or else by the first entry with a
   * matching pattern. None without an entry or a gateway id. Weir's own gateways match only
   * patterns that begin with their prefix, and may otherwise publish all keys. Costs a pass over
   * its entry.
   */
  public Permit permit(String gatewayId) {
    GatewayEntry found = byId.get(gatewayId);
    boolean own = OwnSequences.isOwn(gatewayId);
    if (found == null && !gatewayId.isEmpty()) {
      byte[] id = gatewayId.getBytes(StandardCharsets.UTF_8);
      for (GatewayEntry entry : byPattern) {
        boolean ofOwn = OwnSequences.isOwn(entry.gateway().toString());
        if (ofOwn == own && entry.gateway().fits(id, 0, id.length)) {
          found = entry;
          break;
        }
      }
    }
    return found != null ? found.permit(gatewayId) : own ? Permit.OWN : Permit.NONE;
  }

  /** The number of entries. */
  public int size() {
    return entries.size();
  }

  /** All entries, one line each. */
  public List<String> lines() {
    return entries.stream().map(GatewayEntry::toString).toList();
  }
}

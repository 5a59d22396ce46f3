package io.weir.store;

import io.weir.reading.Gateways;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Gateways' sequences as entries of the changelog: one each, and behind it what was applied since,
 * in a {@link ChangeRing}, where the state has one. Called by the task's thread only.
 */
final class GatewayEntries implements RingMembers.Source<GatewayMember> {
  private final Gateways gateways;
  private final GatewayCodec codec = new GatewayCodec();
  private final RingMembers<GatewayMember> members = new RingMembers<>(this);

  /** Those that were written. */
  private final Map<String, GatewayMember> written = new HashMap<>();

  /** Null where gateways are written whole. */
  private ChangeRing ring;

  /** How often {@link #flush} has ended. */
  private long flushes;

  GatewayEntries(Gateways gateways) {
    this.gateways = gateways;
  }

  /** The gateways in the records of changes. */
  RingMembers<GatewayMember> members() {
    return members;
  }

  /** The records of changes, before anything else is called. */
  void ring(ChangeRing itsRing) {
    ring = itsRing;
  }

  /** Whether anything changed since the last {@link #flush}. */
  boolean isChanged() {
    return !gateways.touched().isEmpty() || !gateways.forgotten().isEmpty();
  }

  /**
   * Writes what changed since the last call; a record of changes is under way, if there are any.
   */
  void flush(ChangeLog log) throws IOException {
    if (ring == null) {
      flushWhole(log);
    } else {
      flushChanges(log);
    }
    gateways.written();
  }

  private void flushWhole(ChangeLog log) throws IOException {
    for (String id : gateways.forgotten()) {
      log.put(StateKey.gateway(id), null);
    }
    for (String id : gateways.touched()) {
      log.put(StateKey.gateway(id), codec.encode(gateways.get(id), 0, 0));
    }
  }

  private void flushChanges(ChangeLog log) throws IOException {
    for (String id : gateways.forgotten()) {
      ring.makeRoom(log);
      log.put(StateKey.gateway(id), null);
      GatewayMember gateway = written.remove(id);
      if (gateway != null) {
        gateway.remove();
        ring.delete(gateway);
      }
    }
    for (String id : gateways.touched()) {
      ring.makeRoom(log);
      GatewayMember gateway = member(id);
      // One that needed a record whose place is taken was written already.
      if (gateway.writtenIn() == flushes) {
        continue;
      }
      if (ring.takes(gateway) && gateways.applied(id).isAll()) {
        ring.add(gateway);
      } else {
        writeWhole(gateway, log);
      }
    }
    flushes++;
  }

  private GatewayMember member(String id) {
    return written.computeIfAbsent(id, each -> new GatewayMember(gateways, each));
  }

  @Override
  public void writeWhole(GatewayMember gateway, ChangeLog log) throws IOException {
    if (gateway.sequences() == null) {
      return; // It is about to be deleted.
    }
    int number = members.numberOf(gateway);
    byte[] value = codec.encode(gateway.sequences(), number, ring.record());
    log.put(StateKey.gateway(gateway.id()), value);
    gateway.writtenWhole(number, ring.record());
    gateway.writtenIn(flushes);
  }

  @Override
  public void forEach(Consumer<GatewayMember> action) {
    written.values().forEach(action);
  }

  void restore(byte[] key, byte[] value) throws IOException {
    String id = StateKey.gatewayId(key);
    if (value == null) {
      gateways.dropRestored(id);
      GatewayMember gateway = written.remove(id);
      if (gateway != null) {
        gateway.remove();
      }
    } else {
      GatewayMember gateway = member(id);
      gateways.restore(id, GatewayCodec.decode(value, gateway));
      if (ring != null) {
        members.restored(gateway);
        ring.restored(gateway.lastRecord());
      }
    }
  }

  void clear() {
    written.clear();
  }
}

package io.weir.internal.store;

import io.weir.reading.Gateways;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Gateways' sequences as entries of the changelog: one each, and behind it what was applied since,
 * in a {@link ChangeRing}, where the state has one. Called by the task's thread only.
 */
final class GatewayEntries implements RingMembers.Source<GatewayMember> {
  private final Gateways gateways;
  private final GatewayCodec codec = new GatewayCodec();
  private final RingMembers<GatewayMember> members;

  /** Those that were written, where the state has records of changes. */
  private final Map<String, GatewayMember> written = new HashMap<>();

  /** Those that are to be deleted from the records of changes. */
  private final List<GatewayMember> forgotten = new ArrayList<>();

  /** Those that were written whole in the flush under way. */
  private final List<GatewayMember> writtenNow = new ArrayList<>();

  /** Null where gateways are written whole. */
  private ChangeRing ring;

  /** Of a state without records of changes. */
  GatewayEntries(Gateways gateways) {
    this(gateways, 0);
  }

  /**
   * @param slots of the records of changes
   */
  GatewayEntries(Gateways gateways, int slots) {
    this.gateways = gateways;
    this.members = new RingMembers<>(this, slots);
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
   * Deletes those that were forgotten, since one may be back: then it is another. In front of a
   * record of changes.
   */
  void flushDeletions(ChangeLog log) {
    for (String id : gateways.forgotten()) {
      log.put(StateKey.gateway(id), null);
      GatewayMember gateway = written.remove(id);
      if (gateway != null) {
        gateway.remove();
        forgotten.add(gateway);
      }
    }
  }

  /**
   * Writes what changed since the last call, after {@link #flushDeletions}. Where gateways
   * {@linkplain #isChanged changed}, a record of changes is under way.
   */
  void flush(ChangeLog log) throws IOException {
    for (GatewayMember gateway : forgotten) {
      ring.makeRoom(log);
      ring.delete(gateway);
    }
    for (String id : gateways.touched()) {
      if (ring == null) {
        log.put(StateKey.gateway(id), codec.encode(gateways.get(id)));
      } else {
        ring.makeRoom(log);
        flush(member(id), log);
      }
    }
    forgotten.clear();
    writtenNow.forEach(gateway -> gateway.writtenNow(false));
    writtenNow.clear();
    gateways.written();
  }

  /** One that needed a record whose place is taken was written already. */
  private void flush(GatewayMember gateway, ChangeLog log) throws IOException {
    if (gateway.writtenNow()) {
      return;
    }
    if (ring.takes(gateway) && gateway.applied().isAll()) {
      ring.add(gateway);
    } else {
      writeWhole(gateway, log);
    }
  }

  private GatewayMember member(String id) {
    return written.computeIfAbsent(id, each -> new GatewayMember(gateways, each));
  }

  @Override
  public void writeWhole(GatewayMember gateway, ChangeLog log) throws IOException {
    int number = members.numberOf(gateway);
    byte[] value = codec.encode(gateway.sequences(), number, ring.record());
    log.put(StateKey.gateway(gateway.id()), value);
    gateway.writtenWhole(number, ring.record());
    gateway.writtenNow(true);
    writtenNow.add(gateway);
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
    } else if (ring == null) {
      gateways.restore(id, GatewayCodec.decode(value));
    } else {
      GatewayMember gateway = member(id);
      gateways.restore(id, GatewayCodec.decode(value, gateway));
      members.restored(gateway);
      ring.restored(gateway.lastRecord());
    }
  }

  /** Drops gateways that were deleted, after the records of changes have resumed. */
  void resume() {
    for (GatewayMember gateway : members.stale()) {
      gateways.dropDeleted(gateway.id());
      gateway.remove();
      written.remove(gateway.id());
    }
  }

  void clear() {
    written.clear();
    forgotten.clear();
    writtenNow.clear();
  }
}

package io.weir.internal.store;

import io.weir.internal.window.durable.RingMember;
import io.weir.reading.AppliedSequences;
import io.weir.reading.GatewaySequences;
import io.weir.reading.Gateways;
import java.io.IOException;

/** A gateway in the records of changes. Not safe for several threads. */
final class GatewayMember implements RingMember {
  private final Gateways gateways;
  private final String id;
  private int number;
  private long lastRecord;
  private long changesFrom;
  private boolean removed;
  private boolean writtenNow;

  GatewayMember(Gateways gateways, String id) {
    this.gateways = gateways;
    this.id = id;
  }

  String id() {
    return id;
  }

  GatewaySequences sequences() {
    return gateways.get(id);
  }

  /** What was applied since it was last written. */
  AppliedSequences applied() {
    return gateways.applied(id);
  }

  long lastAppliedMs() {
    return sequences().lastAppliedMs();
  }

  /** Applies what was applied before. */
  void apply(GatewayChange change) throws IOException {
    GatewaySequences sequences = sequences();
    change.apply(sequences);
    gateways.restore(id, sequences);
  }

  /** All of it was written in the flush under way. */
  void writtenNow(boolean now) {
    writtenNow = now;
  }

  /** Whether all of it was written in the flush under way. */
  boolean writtenNow() {
    return writtenNow;
  }

  /** It is no longer part of the state. */
  void remove() {
    removed = true;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public long lastRecord() {
    return lastRecord;
  }

  @Override
  public long changesFrom() {
    return changesFrom;
  }

  @Override
  public void writtenWhole(int itsNumber, long record) {
    number = itsNumber;
    lastRecord = record;
    changesFrom = 0;
  }

  @Override
  public void writtenChanges(long record) {
    changesFrom = changesFrom == 0 ? record : changesFrom;
    lastRecord = record;
  }

  @Override
  public boolean isRemoved() {
    return removed;
  }
}

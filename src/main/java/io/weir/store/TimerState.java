package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.event.TimerLimits;
import io.weir.event.Timers;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import java.io.IOException;

/**
 * All that a task keeps of its partition of scheduled events: those that wait, gateways with their
 * sequences, and how far it has come. Entries of the changelog, numbers being protobuf varints:
 *
 * <pre>
 * M                 format | position ({@link InputPosition}) | order that the next timer gets
 * T, timer's name   {@link TimerEntries}
 * G, gateway's id   {@link GatewayCodec}
 * </pre>
 */
public final class TimerState extends LoggedState {
  private final long longestGapMs;
  private final Timers timers;
  private final Gateways gateways;
  private final GatewayEntries gatewayEntries;
  private final TimerEntries timerEntries;

  /**
   * @param limits how much may wait
   * @param longestGapMs how much log time passes between two records at the most
   */
  public TimerState(TimerLimits limits, GatewayRules gatewayRules, long longestGapMs) {
    super(longestGapMs);
    this.longestGapMs = longestGapMs;
    this.timers = new Timers(limits);
    this.gateways = new Gateways(gatewayRules);
    this.gatewayEntries = new GatewayEntries(gateways);
    this.timerEntries = new TimerEntries(timers);
  }

  public Timers timers() {
    return timers;
  }

  public Gateways gateways() {
    return gateways;
  }

  /** The append time of the record at hand is before the one that was known, or none was known. */
  public void clockWentBack(long appendMs) {
    timers.clockWentBack(appendMs, longestGapMs);
  }

  @Override
  public long dueMs() {
    return timers.nextDueMs();
  }

  @Override
  void flushEntries(ChangeLog log) throws IOException {
    timerEntries.flush(log);
    gatewayEntries.flushDeletions(log);
    gatewayEntries.flush(log);
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case TimerEntries.TIMER -> timerEntries.restore(key, value);
      case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
      default -> throw StateMismatchException.ofKind(key[0]);
    }
  }

  @Override
  void writeNumber(CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(timers.nextOrder());
  }

  @Override
  void readNumber(CodedInputStream in) throws IOException {
    timers.restoreOrder(in.readUInt64());
  }

  @Override
  void clearEntries() {
    timers.clear();
    gateways.clear();
  }
}

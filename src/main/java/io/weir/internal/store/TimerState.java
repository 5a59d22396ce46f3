package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.event.Timers;
import io.weir.reading.GatewayRules;
import java.io.IOException;

/**
 * All that a task keeps of its partition of scheduled events: those that wait, senders, and how far
 * it has come. Entries of the changelog, numbers being protobuf varints:
 *
 * <pre>
 * M                 format | position ({@link InputPosition}) | order that the next timer gets
 *                   | time until which all were fired | order that the next one got then
 * T, timer's name   {@link TimerEntries}
 * others            {@link SenderState}
 * </pre>
 */
public final class TimerState extends LoggedState {
  private final long longestGapMs;
  private final Timers timers;
  private final SenderState senders;
  private final TimerEntries timerEntries;

  /**
   * @param limits how much may wait
   * @param longestGapMs how much log time passes between two records at the most
   */
  public TimerState(TimerLimits limits, GatewayRules gatewayRules, long longestGapMs) {
    super(longestGapMs);
    this.longestGapMs = longestGapMs;
    this.timers = new Timers(limits);
    this.senders = new SenderState(gatewayRules);
    this.timerEntries = new TimerEntries(timers);
  }

  public Timers timers() {
    return timers;
  }

  public SenderState senders() {
    return senders;
  }

  @Override
  public void deletedUnread(long records, boolean wereApplied, long appendMs) {
    senders.deletedUnread(appendMs);
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
    senders.flush(log);
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case TimerEntries.TIMER -> timerEntries.restore(key, value);
      default -> senders.restore(key, value);
    }
  }

  @Override
  void writeNumbers(CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(timers.nextOrder());
    out.writeSInt64NoTag(timers.doneMs());
    out.writeUInt64NoTag(timers.doneOrder());
  }

  @Override
  void readNumbers(CodedInputStream in) throws IOException {
    timers.restoreOrder(in.readUInt64(), in.readSInt64(), in.readUInt64());
  }

  @Override
  public void resume() {
    timers.resume();
  }

  @Override
  void clearEntries() {
    timers.clear();
    senders.clear();
  }
}

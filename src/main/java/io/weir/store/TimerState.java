package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.event.TimerLimits;
import io.weir.event.Timers;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * All that a task keeps of its partition of scheduled events: those that wait, gateways with their
 * sequences, and how far it has come. Entries of the changelog, numbers being protobuf varints:
 *
 * <pre>
 * M                 format 1 | position ({@link InputPosition}) | order that the next timer gets
 * T, timer's name   {@link TimerEntries}
 * G, gateway's id   {@link GatewayCodec}
 * </pre>
 */
public final class TimerState implements InputState {
  private static final int FORMAT = 1;
  private static final int MOST_NUMBER_BYTES = 32;

  private final Timers timers;
  private final Gateways gateways;
  private final InputPosition position;
  private final GatewayEntries gatewayEntries;
  private final TimerEntries timerEntries;

  /**
   * @param limits how much may wait
   * @param longestGapMs how much log time passes between two records at the most
   */
  public TimerState(TimerLimits limits, GatewayRules gatewayRules, long longestGapMs) {
    this.timers = new Timers(limits);
    this.gateways = new Gateways(gatewayRules);
    this.position = new InputPosition(longestGapMs);
    this.gatewayEntries = new GatewayEntries(gateways);
    this.timerEntries = new TimerEntries(timers);
  }

  public Timers timers() {
    return timers;
  }

  public Gateways gateways() {
    return gateways;
  }

  @Override
  public InputPosition position() {
    return position;
  }

  @Override
  public boolean awaitsTime() {
    return false; // What is due is due at a known time.
  }

  @Override
  public long dueMs() {
    return timers.nextDueMs();
  }

  @Override
  public void flush(ChangeLog log) {
    try {
      timerEntries.flush(log);
      gatewayEntries.flush(log);
      if (position.unwritten()) {
        log.put(StateKey.meta(), encodeMeta());
        position.written();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] encodeMeta() throws IOException {
    byte[] buffer = new byte[InputPosition.MOST_BYTES + MOST_NUMBER_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(FORMAT);
    position.write(out);
    out.writeUInt64NoTag(timers.nextOrder());
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  @Override
  public void restore(byte[] key, byte[] value) {
    try {
      switch (key[0]) {
        case StateKey.META -> restoreMeta(value);
        case TimerEntries.TIMER -> timerEntries.restore(key, value);
        case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
        default -> throw StateMismatchException.ofKind(key[0]);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void restoreMeta(byte[] value) throws IOException {
    CodedInputStream in = reader(value);
    position.read(in);
    timers.restoreOrder(in.readUInt64());
  }

  private static CodedInputStream reader(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    return in;
  }

  @Override
  public void resume() {
    // Timers stand in their order from the first one that is read back on.
  }

  @Override
  public void clear() {
    timers.clear();
    gateways.clear();
    position.clear();
  }
}

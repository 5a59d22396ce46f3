package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.event.Timer;
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
 * T, timer's name   format 1 | due ms | every ms | order | 1 if it has an event time of its own
 *                   | the event as protobuf
 * G, gateway's id   {@link GatewayCodec}
 * </pre>
 */
public final class TimerState implements InputState {
  private static final byte TIMER = 'T';
  private static final int FORMAT = 1;
  private static final int MOST_NUMBER_BYTES = 32;

  private final Timers timers;
  private final Gateways gateways;
  private final InputPosition position;
  private final GatewayEntries gatewayEntries;

  /**
   * @param limits how much may wait
   * @param longestGapMs how much log time passes between two records at the most
   */
  public TimerState(TimerLimits limits, GatewayRules gatewayRules, long longestGapMs) {
    this.timers = new Timers(limits);
    this.gateways = new Gateways(gatewayRules);
    this.position = new InputPosition(longestGapMs);
    this.gatewayEntries = new GatewayEntries(gateways);
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
      for (byte[] name : timers.removed()) {
        log.put(StateKey.of(TIMER, name), null);
      }
      timers.forEachTouched(timer -> log.put(StateKey.of(TIMER, timer.name()), encode(timer)));
      timers.written();
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

  private static byte[] encode(Timer timer) {
    byte[] buffer = new byte[MOST_NUMBER_BYTES + timer.event().length];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      out.writeUInt32NoTag(FORMAT);
      out.writeUInt64NoTag(timer.dueMs());
      out.writeUInt64NoTag(timer.everyMs());
      out.writeUInt64NoTag(timer.order());
      out.writeBoolNoTag(timer.hasTimestamp());
      out.writeRawBytes(timer.event());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // There is room.
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  @Override
  public void restore(byte[] key, byte[] value) {
    try {
      switch (key[0]) {
        case StateKey.META -> restoreMeta(value);
        case TIMER -> restoreTimer(Arrays.copyOfRange(key, 1, key.length), value);
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

  private void restoreTimer(byte[] name, byte[] value) throws IOException {
    if (value == null) {
      timers.dropRestored(name);
      return;
    }
    CodedInputStream in = reader(value);
    long dueMs = in.readUInt64();
    long everyMs = in.readUInt64();
    long order = in.readUInt64();
    boolean hasTimestamp = in.readBool();
    byte[] event = Arrays.copyOfRange(value, in.getTotalBytesRead(), value.length);
    timers.restore(new Timer(name, event, dueMs, everyMs, order, hasTimestamp));
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

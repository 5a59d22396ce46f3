package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.event.LiveKey;
import io.weir.event.LiveKeys;
import io.weir.event.TimerLimits;
import io.weir.event.Timers;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * All that a task with handlers keeps of its partition: keys, events that wait for their start,
 * timers, gateways with their sequences, and how far it has come. Entries of the changelog, numbers
 * being protobuf varints unless they are said to be bytes:
 *
 * <pre>
 * M                 format 1 | position ({@link InputPosition}) | order that the next timer gets
 * K, key            format, a byte, 1 | append time of its start, 8 bytes, the smallest number where
 *                   it is not started | log time of its last event, 8 bytes | 1 where there is a
 *                   state, a byte | the state
 * W, number, key    an event that waits for its key's start, as protobuf; number in 4 bytes
 * T, timer's name   {@link TimerEntries}
 * G, gateway's id   {@link GatewayCodec}
 * </pre>
 */
public final class KeyedState implements InputState {
  private static final byte KEY = 'K';
  private static final byte WAITING = 'W';
  private static final int FORMAT = 1;
  private static final int KEY_BYTES = 2 + 2 * Long.BYTES;
  private static final int WAITING_KEY_OFFSET = 1 + Integer.BYTES;
  private static final int MOST_NUMBER_BYTES = 32;

  /** A gap between two records' append times lets so much log time pass at the most. */
  private static final long LONGEST_GAP_MS = 60_000;

  private final LiveKeys keys;
  private final Timers timers;
  private final Gateways gateways;
  private final InputPosition position;
  private final GatewayEntries gatewayEntries;
  private final TimerEntries timerEntries;
  private final long longestGapMs;

  /**
   * @param idleMs silence after which a key is idle; an outage counts as half of it at the most
   */
  public KeyedState(long idleMs, TimerLimits limits, GatewayRules gatewayRules) {
    this.longestGapMs = Math.max(1, Math.min(LONGEST_GAP_MS, idleMs / 2));
    this.keys = new LiveKeys(idleMs);
    this.timers = new Timers(limits);
    this.gateways = new Gateways(gatewayRules);
    this.position = new InputPosition(longestGapMs);
    this.gatewayEntries = new GatewayEntries(gateways);
    this.timerEntries = new TimerEntries(timers);
  }

  public LiveKeys keys() {
    return keys;
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

  /** Of a silence that is longer than the longest gap: when log time can next go on. */
  @Override
  public long dueMs() {
    long idleMs = keys.nextIdleMs();
    long inMs = idleMs == NEVER ? NEVER : idleMs - position.time().logMs();
    long idleAtMs = inMs == NEVER ? NEVER : appendMs() + Math.min(inMs, longestGapMs);
    return Math.min(timers.nextDueMs(), idleAtMs);
  }

  @Override
  public void flush(ChangeLog log) {
    try {
      timerEntries.flush(log);
      keys.write(new Writing(log));
      gatewayEntries.flush(log);
      if (position.unwritten()) {
        log.put(StateKey.meta(), encodeMeta());
        position.written();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Writing(ChangeLog log) implements LiveKeys.Changes {
    @Override
    public void removed(byte[] key) {
      log.put(StateKey.of(KEY, key), null);
    }

    @Override
    public void changed(LiveKey key) {
      byte[] state = key.state();
      int stateLength = state == null ? 0 : state.length;
      ByteBuffer value =
          ByteBuffer.allocate(KEY_BYTES + stateLength)
              .put((byte) FORMAT)
              .putLong(key.startedMs())
              .putLong(key.lastLogMs())
              .put((byte) (state == null ? 0 : 1));
      if (state != null) {
        value.put(state);
      }
      log.put(StateKey.of(KEY, key.key()), value.array());
    }

    @Override
    public void waiting(byte[] key, int number, byte[] event) {
      log.put(StateKey.part(WAITING, number, key), event);
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
        case KEY -> restoreKey(Arrays.copyOfRange(key, 1, key.length), value);
        case WAITING ->
            keys.restoreWaiting(
                Arrays.copyOfRange(key, WAITING_KEY_OFFSET, key.length),
                ByteBuffer.wrap(key).getInt(1),
                value);
        case TimerEntries.TIMER -> timerEntries.restore(key, value);
        case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
        default -> throw StateMismatchException.ofKind(key[0]);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void restoreMeta(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    requireFormat(in.readUInt32());
    position.read(in);
    timers.restoreOrder(in.readUInt64());
  }

  private void restoreKey(byte[] key, byte[] value) throws IOException {
    if (value == null) {
      keys.dropRestored(key);
      return;
    }
    if (value.length < KEY_BYTES) {
      throw new IOException("a key's entry of " + value.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    requireFormat(in.get());
    long startedMs = in.getLong();
    long lastLogMs = in.getLong();
    boolean hasState = in.get() != 0;
    keys.restore(
        key,
        startedMs,
        lastLogMs,
        hasState ? Arrays.copyOfRange(value, KEY_BYTES, value.length) : null);
  }

  private static void requireFormat(int format) {
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
  }

  @Override
  public void resume() {
    keys.resume(timers);
  }

  @Override
  public void clear() {
    keys.clear();
    timers.clear();
    gateways.clear();
    position.clear();
  }
}

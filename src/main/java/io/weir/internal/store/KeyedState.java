package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.LiveKey;
import io.weir.internal.event.LiveKeys;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.event.Timers;
import io.weir.reading.GatewayRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.Uuid;

/**
 * All that a task with handlers keeps of its partition: keys, events that wait for their start,
 * timers, gateways with their sequences, and how far it has come. Entries of the changelog, numbers
 * being protobuf varints unless they are said to be bytes:
 *
 * <pre>
 * M                 format | position ({@link InputPosition}) | order that the next timer gets
 * J, key            format, a byte | append time of its start, 8 bytes, the smallest number where
 *                   it is not started | log time of its last event, 8 bytes | the gateway that made
 *                   it, 8 bytes | 1 where there is a state, a byte | the state
 * X, number, key    format, a byte | its gateway, 8 bytes | an event that waits for its key's
 *                   start, as protobuf; number in 4 bytes
 * T, timer's name   {@link TimerEntries}
 * C, key            {@link OrderEntries}: the order that deleted it last
 * others            {@link SenderState}
 * </pre>
 */
public final class KeyedState extends LoggedState {
  /** Name of the store of an application with handlers. */
  public static final String STORE = "weir-keys";

  private static final byte KEY = 'J';
  private static final byte WAITING = 'X';
  private static final int KEY_BYTES = 2 + 3 * Long.BYTES;
  private static final int WAITING_HEAD_BYTES = 1 + Long.BYTES;
  private static final int WAITING_KEY_OFFSET = 1 + Integer.BYTES;

  /** A gap between two records' append times lets so much log time pass at the most. */
  private static final long LONGEST_GAP_MS = 60_000;

  private final LiveKeys keys;
  private final Timers timers;
  private final SenderState senders;
  private final OrderEntries deletions = new OrderEntries();
  private final TimerEntries timerEntries;
  private final long longestGapMs;

  /**
   * @param idleMs silence after which a key is idle; an outage counts as half of it at the most
   */
  public KeyedState(long idleMs, TimerLimits limits, GatewayRules gatewayRules) {
    super(longestGapMs(idleMs));
    this.longestGapMs = longestGapMs(idleMs);
    this.keys = new LiveKeys(idleMs);
    this.timers = new Timers(limits);
    this.senders = new SenderState(gatewayRules);
    this.timerEntries = new TimerEntries(timers);
  }

  private static long longestGapMs(long idleMs) {
    return Math.max(1, Math.min(LONGEST_GAP_MS, idleMs / 2));
  }

  /** How far a clock may be ahead without any consequence for timers. */
  public long longestGapMs() {
    return longestGapMs;
  }

  public LiveKeys keys() {
    return keys;
  }

  public Timers timers() {
    return timers;
  }

  public SenderState senders() {
    return senders;
  }

  /**
   * Whether an order to delete a key is to be carried out; false for a copy of its mark, or if a
   * newer order for the key came first.
   *
   * @param topicId of the topic that the order is on
   * @param order its offset there
   */
  public boolean acceptDeletion(String key, Uuid topicId, long order) {
    return deletions.accept(key, topicId, order);
  }

  @Override
  public void deletedUnread(long records, boolean wereApplied, long appendMs) {
    senders.deletedUnread(appendMs);
  }

  /** Of a silence that is longer than the longest gap: when log time can next go on. */
  @Override
  public long dueMs() {
    long idleMs = keys.nextIdleMs();
    long inMs = idleMs == NEVER ? NEVER : idleMs - position().time().logMs();
    long idleAtMs = inMs == NEVER ? NEVER : appendMs() + Math.min(inMs, longestGapMs);
    return Math.min(timers.nextDueMs(), idleAtMs);
  }

  @Override
  void flushEntries(ChangeLog log) throws IOException {
    timerEntries.flush(log);
    keys.write(new Writing(log));
    deletions.flush(log);
    senders.flush(log);
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
              .put((byte) StateFormat.NUMBER)
              .putLong(key.startedMs())
              .putLong(key.lastLogMs())
              .putLong(key.writerId())
              .put((byte) (state == null ? 0 : 1));
      if (state != null) {
        value.put(state);
      }
      log.put(StateKey.of(KEY, key.key()), value.array());
    }

    @Override
    public void waiting(byte[] key, int number, byte[] event, long writerId) {
      byte[] value =
          event == null
              ? null
              : ByteBuffer.allocate(WAITING_HEAD_BYTES + event.length)
                  .put((byte) StateFormat.NUMBER)
                  .putLong(writerId)
                  .put(event)
                  .array();
      log.put(StateKey.part(WAITING, number, key), value);
    }
  }

  @Override
  void writeNumbers(CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(timers.nextOrder());
  }

  @Override
  void readNumbers(CodedInputStream in) throws IOException {
    timers.restoreOrder(in.readUInt64(), 0, 0);
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case KEY -> restoreKey(Arrays.copyOfRange(key, 1, key.length), value);
      case WAITING -> restoreWaiting(key, value);
      case TimerEntries.TIMER -> timerEntries.restore(key, value);
      case StateKey.CONTROL -> deletions.restore(key, value);
      default -> senders.restore(key, value);
    }
  }

  /** Whether an entry is of a key: itself, a waiting event or a timer. */
  static boolean isOf(byte[] entry, byte[] key) {
    int from =
        switch (entry[0]) {
          case KEY -> 1;
          case WAITING -> WAITING_KEY_OFFSET;
          case TimerEntries.TIMER -> 1 + Short.BYTES;
          default -> -1;
        };
    int to = from + key.length;
    boolean hasRoom =
        from > 0 && (entry[0] == TimerEntries.TIMER ? to <= entry.length : to == entry.length);
    boolean isLength =
        entry[0] != TimerEntries.TIMER || ByteBuffer.wrap(entry).getShort(1) == key.length;
    return hasRoom && isLength && Arrays.equals(entry, from, to, key, 0, key.length);
  }

  private void restoreWaiting(byte[] key, byte[] value) throws IOException {
    byte[] name = Arrays.copyOfRange(key, WAITING_KEY_OFFSET, key.length);
    int number = ByteBuffer.wrap(key).getInt(1);
    if (value == null) {
      keys.restoreWaiting(name, number, null, EventColumns.NOBODY);
      return;
    }
    if (value.length < WAITING_HEAD_BYTES) {
      throw new IOException("a waiting event's entry of " + value.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    StateFormat.require(in.get());
    long writerId = in.getLong();
    byte[] event = Arrays.copyOfRange(value, WAITING_HEAD_BYTES, value.length);
    keys.restoreWaiting(name, number, event, writerId);
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
    StateFormat.require(in.get());
    long startedMs = in.getLong();
    long lastLogMs = in.getLong();
    long writerId = in.getLong();
    boolean hasState = in.get() != 0;
    keys.restore(
        key,
        startedMs,
        lastLogMs,
        writerId,
        hasState ? Arrays.copyOfRange(value, KEY_BYTES, value.length) : null);
  }

  @Override
  public void resume() {
    keys.resume(timers);
  }

  @Override
  void clearEntries() {
    keys.clear();
    timers.clear();
    deletions.clear();
    senders.clear();
  }
}

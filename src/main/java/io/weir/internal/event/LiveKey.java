package io.weir.internal.event;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;

/** A started key, or a key whose events wait for its start. Not thread-safe. */
public final class LiveKey extends KeyTable.Entry {
  /** A waiting event with its number within the key. */
  static final class Waiting {
    final LiveKey key;
    final int number;
    final byte[] event;
    final long writerId;
    boolean isWritten;
    boolean isGone;

    Waiting(LiveKey key, int number, byte[] event, long writerId) {
      this.key = key;
      this.number = number;
      this.event = event;
      this.writerId = writerId;
    }
  }

  /** Memory of a key besides its name and state. */
  static final int OVERHEAD_BYTES = 200;

  private static final long NOT_STARTED = Long.MIN_VALUE;

  private long startedMs = NOT_STARTED;
  private long lastLogMs;
  private long writerId = EventColumns.NOBODY;
  private byte[] state;
  private Object handler;
  private Set<Timer> timers = Collections.emptySet();

  /** Retries its event whose call failed; null if there is none. */
  private Timer retry;

  TreeMap<Integer, Waiting> waiting;
  private int nextNumber;

  boolean isTouched;
  boolean isWritten;
  boolean isGone;

  /** Neighbours in the list of keys that may become idle; null if it is not in the list. */
  LiveKey before;

  LiveKey after;

  LiveKey(byte[] key) {
    super(key);
  }

  /** Restores the key. */
  void restore(long atMs, long logMs, byte[] bytes) {
    startedMs = atMs;
    lastLogMs = logMs;
    state = bytes;
    handler = null;
  }

  /** Its bytes, in UTF-8. */
  public byte[] key() {
    return key;
  }

  /**
   * The gateway that made it, see {@link EventColumns#writerId}; its share of the limits counts.
   */
  public long writerId() {
    return writerId;
  }

  void writerId(long writer) {
    writerId = writer;
  }

  public boolean isStarted() {
    return startedMs != NOT_STARTED;
  }

  /** Append time of the record that started it; negative if it is not started. */
  public long startedMs() {
    return startedMs;
  }

  void startedMs(long ms) {
    startedMs = ms;
  }

  void notStarted() {
    startedMs = NOT_STARTED;
    state = null;
    handler = null;
  }

  /** Log time of its last event. */
  public long lastLogMs() {
    return lastLogMs;
  }

  void lastLogMs(long ms) {
    lastLogMs = ms;
  }

  /** The handler's state, or null. */
  public byte[] state() {
    return state;
  }

  void state(byte[] bytes) {
    state = bytes;
  }

  /** Approximate memory in bytes, without waiting events and timers. */
  long memoryBytes() {
    return bytes(key.length) + (state == null ? 0 : state.length);
  }

  /** The same of a key without a state. */
  public static long bytes(int keyLength) {
    return OVERHEAD_BYTES + keyLength;
  }

  /** The handler object of this key, or null; not part of the state. */
  public Object handler() {
    return handler;
  }

  public void handler(Object object) {
    handler = object;
  }

  /** Its pending timers. */
  public Set<Timer> timers() {
    return timers;
  }

  void add(Timer timer) {
    if (timers.isEmpty()) {
      timers = new LinkedHashSet<>(4);
    }
    timers.add(timer);
    if (timer.isRetry()) {
      retry = timer;
    }
  }

  /** The timer that retries its event whose call failed, or null. */
  public Timer retry() {
    return retry;
  }

  void remove(Timer timer) {
    if (timer == retry) {
      retry = null;
    }
    if (timers.remove(timer) && timers.isEmpty()) {
      timers = Collections.emptySet();
    }
  }

  /** Number of events that wait for its start. */
  public int waitingEvents() {
    return waiting == null ? 0 : waiting.size();
  }

  Waiting await(byte[] event, long writer) {
    return await(new Waiting(this, nextNumber, event, writer));
  }

  Waiting await(Waiting event) {
    if (waiting == null) {
      waiting = new TreeMap<>();
    }
    waiting.put(event.number, event);
    nextNumber = Math.max(nextNumber, event.number + 1);
    return event;
  }

  void dropTimers() {
    retry = null;
    timers = Collections.emptySet();
  }
}

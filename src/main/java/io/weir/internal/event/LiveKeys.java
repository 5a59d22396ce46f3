package io.weir.internal.event;

import io.weir.internal.event.LiveKey.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The started and waiting keys of a partition, ordered by inactivity, longest first; a key with a
 * timer is not idle. Tracks changes since the last write. All costs are constant, except that keys
 * with the same time of their last event are sorted once. Not thread-safe.
 */
public final class LiveKeys {
  /** Receives changes; the deletion of a name precedes a write to it. */
  public interface Changes {
    void removed(byte[] key);

    void changed(LiveKey key);

    /** A waiting event and its gateway; null if it no longer waits. */
    void waiting(byte[] key, int number, byte[] event, long writerId);
  }

  /** Memory of a waiting event besides its bytes. */
  private static final int WAITING_OVERHEAD_BYTES = 100;

  private static final long NONE_SORTED = Long.MIN_VALUE;

  private static final Comparator<LiveKey> SILENT_FIRST =
      Comparator.<LiveKey>comparingLong(LiveKey::lastLogMs)
          .thenComparing(LiveKey::key, Arrays::compare);

  private final long idleMs;
  private final KeyTable<LiveKey> table = new KeyTable<>();
  private final LiveKey ends = new LiveKey(new byte[0]);
  private final List<LiveKey> touched = new ArrayList<>();
  private final List<byte[]> removed = new ArrayList<>();
  private final List<Waiting> came = new ArrayList<>();
  private final List<Waiting> went = new ArrayList<>();
  private final GatewayShares numbers = new GatewayShares();
  private final GatewayShares bytes = new GatewayShares();
  private final GatewayShares waitingBytes = new GatewayShares();
  private int waitingEvents;
  private int started;

  /** Log time of the last event of the first keys, once these are sorted by name. */
  private long sortedMs = NONE_SORTED;

  /**
   * @param idleMs inactivity, in log time, after which a key is idle
   */
  public LiveKeys(long idleMs) {
    this.idleMs = idleMs;
    clear();
  }

  /** The key of a range of a record, or null. */
  public LiveKey get(byte[] bytes, int offset, int length) {
    return table.get(bytes, offset, length);
  }

  /**
   * Adds a new key that is not started.
   *
   * @param writerId the gateway that makes it
   */
  public LiveKey add(byte[] name, long writerId) {
    LiveKey key = new LiveKey(name);
    key.writerId(writerId);
    table.add(key);
    numbers.add(writerId, 1);
    count(key);
    return key;
  }

  private void count(LiveKey key) {
    bytes.add(key.writerId(), key.memoryBytes());
  }

  private void uncount(LiveKey key) {
    bytes.add(key.writerId(), -key.memoryBytes());
  }

  /** Whether a gateway may make another key. */
  public boolean hasRoomForKey(long writerId, int keyLength, long mostKeys, long mostBytes) {
    return numbers.hasRoom(writerId, 1, mostKeys)
        && bytes.hasRoom(writerId, LiveKey.bytes(keyLength), mostBytes);
  }

  /** Whether the state of a key may grow. */
  public boolean hasRoomForState(LiveKey key, long more, long mostBytes) {
    return bytes.hasRoom(key.writerId(), more, mostBytes);
  }

  /** Whether another event of a gateway may wait. */
  public boolean hasRoomForWaiting(long writerId, int eventLength, long mostBytes) {
    return waitingBytes.hasRoom(writerId, eventLength, mostBytes);
  }

  /** The key had an event, or one of its timers changed: it is not idle. */
  public void touch(LiveKey key, long logMs) {
    key.lastLogMs(logMs);
    unlink(key);
    if (key.timers().isEmpty()) {
      linkLast(key);
    }
    mark(key);
  }

  private void mark(LiveKey key) {
    if (!key.isTouched) {
      key.isTouched = true;
      touched.add(key);
    }
  }

  /** Sets the state of a handler; call {@link #touch} too. */
  public void state(LiveKey key, byte[] state) {
    uncount(key);
    key.state(state);
    count(key);
  }

  /** Starts the key; call {@link #touch} too. */
  public void start(LiveKey key, long appendMs) {
    key.startedMs(appendMs);
    started++;
  }

  /**
   * Ends the key and drops its state; its timers must be removed before. The key is deleted unless
   * events wait for its next start.
   */
  public void end(LiveKey key, long logMs) {
    if (key.isStarted()) {
      started--;
      notStarted(key);
    }
    if (key.waitingEvents() > 0) {
      touch(key, logMs);
      return;
    }
    drop(key);
    key.isGone = true;
    if (key.isWritten) {
      removed.add(key.key);
    }
  }

  private void notStarted(LiveKey key) {
    uncount(key);
    key.notStarted();
    count(key);
  }

  private void drop(LiveKey key) {
    unlink(key);
    table.remove(key);
    uncount(key);
    numbers.add(key.writerId(), -1);
  }

  /** Adds a timer to a key. */
  public void add(LiveKey key, Timer timer) {
    key.add(timer);
  }

  /** Removes a timer of a key. */
  public void remove(LiveKey key, Timer timer) {
    key.remove(timer);
  }

  /** Adds an event that waits for its key's start; call {@link #touch} too. */
  public void await(LiveKey key, byte[] event, long writerId) {
    came.add(count(key.await(event, writerId)));
  }

  private Waiting count(Waiting waiting) {
    waitingEvents++;
    waitingBytes.add(waiting.writerId, waiting.event.length + WAITING_OVERHEAD_BYTES);
    return waiting;
  }

  private void uncount(Waiting waiting) {
    waitingEvents--;
    waitingBytes.add(waiting.writerId, -waiting.event.length - WAITING_OVERHEAD_BYTES);
  }

  /** The gateway of the first waiting event of a key. */
  public long firstWriterId(LiveKey key) {
    return key.waiting.firstEntry().getValue().writerId;
  }

  /** Removes and returns the first waiting event of a key. */
  public byte[] pollWaiting(LiveKey key) {
    Waiting first = key.waiting.pollFirstEntry().getValue();
    leave(first);
    return first.event;
  }

  private void leave(Waiting waiting) {
    uncount(waiting);
    waiting.isGone = true;
    if (waiting.isWritten) {
      went.add(waiting);
    }
  }

  /** As {@link #pollWaiting(LiveKey)}, for matching events; null if there is none. */
  public byte[] pollWaiting(LiveKey key, Predicate<byte[]> kind) {
    for (Waiting waiting : key.waiting.values()) {
      if (kind.test(waiting.event)) {
        key.waiting.remove(waiting.number);
        leave(waiting);
        return waiting.event;
      }
    }
    return null;
  }

  /** The keys with waiting events, unordered. */
  public List<LiveKey> withWaiting() {
    List<LiveKey> keys = new ArrayList<>();
    table.forEach(
        key -> {
          if (key.waitingEvents() > 0) {
            keys.add(key);
          }
        });
    return keys;
  }

  /**
   * The key that is idle for longest, or null. Ties are broken by name, so that a restart does not
   * change the order.
   *
   * @param logMs later than that of any earlier event, if a key is idle
   */
  public LiveKey idle(long logMs) {
    if (nextIdleMs() > logMs) {
      return null;
    }
    if (ends.after.lastLogMs() != sortedMs) {
      sortFirst();
    }
    return ends.after;
  }

  /**
   * Sorts the first keys, whose last events have the same time; no key can be added to them later.
   */
  private void sortFirst() {
    sortedMs = ends.after.lastLogMs();
    List<LiveKey> first = new ArrayList<>();
    LiveKey rest = ends.after;
    for (; rest != ends && rest.lastLogMs() == sortedMs; rest = rest.after) {
      first.add(rest);
    }
    first.sort(SILENT_FIRST);
    LiveKey last = ends;
    for (LiveKey key : first) {
      last.after = key;
      key.before = last;
      last = key;
    }
    last.after = rest;
    rest.before = last;
  }

  /** Log time at which the next key is idle; Long.MAX_VALUE for never. */
  public long nextIdleMs() {
    LiveKey first = ends.after;
    return first == ends || first.lastLogMs() > Long.MAX_VALUE - idleMs
        ? Long.MAX_VALUE
        : first.lastLogMs() + idleMs;
  }

  private void linkLast(LiveKey key) {
    key.before = ends.before;
    key.after = ends;
    ends.before.after = key;
    ends.before = key;
  }

  private static void unlink(LiveKey key) {
    if (key.after != null) {
      key.before.after = key.after;
      key.after.before = key.before;
      key.before = null;
      key.after = null;
    }
  }

  /** Number of started and waiting keys. */
  public int size() {
    return table.size();
  }

  /** Number of started keys. */
  public int started() {
    return started;
  }

  /** Approximate memory of keys and states, in bytes; without waiting events and timers. */
  public long bytes() {
    return bytes.all();
  }

  /** Number of events that wait for their key's start. */
  public int waitingEvents() {
    return waitingEvents;
  }

  /** Reports the changes since the last call. */
  public void write(Changes changes) {
    removed.forEach(changes::removed);
    for (LiveKey key : touched) {
      key.isTouched = false;
      if (!key.isGone) {
        changes.changed(key);
        key.isWritten = true;
      }
    }
    for (Waiting waiting : went) {
      changes.waiting(waiting.key.key, waiting.number, null, waiting.writerId);
    }
    for (Waiting waiting : came) {
      if (!waiting.isGone) {
        changes.waiting(waiting.key.key, waiting.number, waiting.event, waiting.writerId);
        waiting.isWritten = true;
      }
    }
    written();
  }

  private void written() {
    removed.clear();
    touched.clear();
    went.clear();
    came.clear();
  }

  /** Restores a key; its waiting events and timers may be restored before or after it. */
  public void restore(byte[] name, long startedMs, long lastLogMs, long writerId, byte[] state) {
    LiveKey key = findOrAdd(name);
    started -= key.isStarted() ? 1 : 0;
    uncount(key);
    numbers.add(key.writerId(), -1);
    key.writerId(writerId);
    numbers.add(writerId, 1);
    key.restore(startedMs, lastLogMs, state);
    count(key);
    started += key.isStarted() ? 1 : 0;
    key.isWritten = true;
  }

  private LiveKey findOrAdd(byte[] bytes) {
    LiveKey key = table.get(bytes, 0, bytes.length);
    return key == null ? add(bytes, EventColumns.NOBODY) : key;
  }

  /** Removes a restored key. */
  public void dropRestored(byte[] bytes) {
    LiveKey key = table.get(bytes, 0, bytes.length);
    if (key != null) {
      started -= key.isStarted() ? 1 : 0;
      notStarted(key);
      key.isWritten = false;
      dropEmpty(key);
    }
  }

  private void dropEmpty(LiveKey key) {
    if (!key.isWritten && key.waitingEvents() == 0) {
      drop(key);
    }
  }

  /** Restores a waiting event, or removes it if null. */
  public void restoreWaiting(byte[] bytes, int number, byte[] event, long writerId) {
    LiveKey key = findOrAdd(bytes);
    Waiting before = key.waiting == null ? null : key.waiting.remove(number);
    if (before != null) {
      uncount(before);
    }
    if (event != null) {
      Waiting waiting = new Waiting(key, number, event, writerId);
      waiting.isWritten = true;
      count(key.await(waiting));
    }
    dropEmpty(key);
  }

  /** Completes the restore. */
  public void resume(Timers timers) {
    List<LiveKey> all = new ArrayList<>(table.size());
    table.forEach(all::add);
    all.forEach(LiveKey::dropTimers);
    timers.forEach(
        timer -> {
          byte[] name = timer.ofKey();
          findOrAdd(name).add(timer);
        });
    all.sort(SILENT_FIRST);
    ends.before = ends;
    ends.after = ends;
    sortedMs = NONE_SORTED;
    for (LiveKey key : all) {
      key.before = null;
      key.after = null;
      if (key.timers().isEmpty()) {
        linkLast(key);
      }
    }
    written();
  }

  public void clear() {
    table.clear();
    numbers.clear();
    bytes.clear();
    ends.before = ends;
    ends.after = ends;
    sortedMs = NONE_SORTED;
    waitingBytes.clear();
    waitingEvents = 0;
    started = 0;
    written();
  }
}

package io.weir.event;

import io.weir.event.LiveKey.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The keys of a partition that live or wait for their start, the one that was silent for longest in
 * front; one with a timer is not silent. What changed since it was last written is kept apart. All
 * costs are constant, but that keys that are idle since one time are sorted once. Not safe for
 * several threads.
 */
public final class LiveKeys {
  /** Receives changes; deletions of a name come before what is put there again. */
  public interface Changes {
    void removed(byte[] key);

    void changed(LiveKey key);

    /** An event that waits; null where it does no more. */
    void waiting(byte[] key, int number, byte[] event);
  }

  /** What an event that waits takes in memory beside its bytes. */
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
  private long waitingBytes;
  private int waitingEvents;
  private int started;

  /** Log time of the last event of the keys in front, once they are in the order of their names. */
  private long sortedMs = NONE_SORTED;

  /**
   * @param idleMs silence, in log time, after which a key is idle
   */
  public LiveKeys(long idleMs) {
    this.idleMs = idleMs;
    clear();
  }

  /** The key of some bytes of a record, or null. */
  public LiveKey get(byte[] bytes, int offset, int length) {
    return table.get(bytes, offset, length);
  }

  /** A key that was not there; it is not started. */
  public LiveKey add(byte[] bytes) {
    LiveKey key = new LiveKey(bytes);
    table.add(key);
    return key;
  }

  /** The key had an event, or a timer of its came or went: it is not idle. */
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

  /** The key's life begins; to be touched. */
  public void start(LiveKey key, long appendMs) {
    key.startedMs(appendMs);
    started++;
  }

  /**
   * The key's life ends: what it keeps is gone, its timers are to be taken away before. It is
   * forgotten, unless events wait for it to start again.
   */
  public void end(LiveKey key, long logMs) {
    if (key.isStarted()) {
      started--;
      key.notStarted();
    }
    if (key.waitingEvents() > 0) {
      touch(key, logMs);
      return;
    }
    unlink(key);
    table.remove(key);
    key.isGone = true;
    if (key.isWritten) {
      removed.add(key.key);
    }
  }

  /** Takes a timer that was scheduled for a key. */
  public void add(LiveKey key, Timer timer) {
    key.add(timer);
  }

  /** A timer of a key waits no more. */
  public void remove(LiveKey key, Timer timer) {
    key.remove(timer);
  }

  /** Lets an event wait for its key's start; to be touched. */
  public void await(LiveKey key, byte[] event) {
    came.add(count(key.await(event)));
  }

  private Waiting count(Waiting waiting) {
    waitingEvents++;
    waitingBytes += waiting.event.length + WAITING_OVERHEAD_BYTES;
    return waiting;
  }

  private void uncount(Waiting waiting) {
    waitingEvents--;
    waitingBytes -= waiting.event.length + WAITING_OVERHEAD_BYTES;
  }

  /** The first event that waits for its key's start, which does so no more. */
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

  /** As {@link #pollWaiting(LiveKey)}, of those of a kind; null where there is none. */
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

  /** The keys of which events wait, in no order. */
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
   * The key that is idle for longest, or null where none is idle. Of several the first by name, so
   * that a restart changes no order.
   *
   * @param logMs later than that of any event before, where a key is idle
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

  /** Sorts the keys in front whose last events have one time; as it is over, none joins them. */
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

  /** Keys that live, and those whose events wait. */
  public int size() {
    return table.size();
  }

  /** Keys that live. */
  public int started() {
    return started;
  }

  /** Events that wait for their key's start. */
  public int waitingEvents() {
    return waitingEvents;
  }

  /** What these take in memory, nearly. */
  public long waitingBytes() {
    return waitingBytes;
  }

  /** Reports what changed since the last call. */
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
      changes.waiting(waiting.key.key, waiting.number, null);
    }
    for (Waiting waiting : came) {
      if (!waiting.isGone) {
        changes.waiting(waiting.key.key, waiting.number, waiting.event);
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

  /** Puts back a key that was kept; events that wait and timers come before or after it. */
  public void restore(byte[] bytes, long startedMs, long lastLogMs, byte[] state) {
    LiveKey key = findOrAdd(bytes);
    started -= key.isStarted() ? 1 : 0;
    key.restore(startedMs, lastLogMs, state);
    started += key.isStarted() ? 1 : 0;
    key.isWritten = true;
  }

  private LiveKey findOrAdd(byte[] bytes) {
    LiveKey key = table.get(bytes, 0, bytes.length);
    return key == null ? add(bytes) : key;
  }

  /** Takes out a key that was not kept after all. */
  public void dropRestored(byte[] bytes) {
    LiveKey key = table.get(bytes, 0, bytes.length);
    if (key != null) {
      started -= key.isStarted() ? 1 : 0;
      key.notStarted();
      key.isWritten = false;
      dropEmpty(key);
    }
  }

  private void dropEmpty(LiveKey key) {
    if (!key.isWritten && key.waitingEvents() == 0) {
      unlink(key);
      table.remove(key);
    }
  }

  /** Puts back an event that waits, or takes it out where it is null. */
  public void restoreWaiting(byte[] bytes, int number, byte[] event) {
    LiveKey key = findOrAdd(bytes);
    Waiting before = key.waiting == null ? null : key.waiting.remove(number);
    if (before != null) {
      uncount(before);
    }
    if (event != null) {
      Waiting waiting = new Waiting(key, number, event);
      waiting.isWritten = true;
      count(key.await(waiting));
    }
    dropEmpty(key);
  }

  /** Everything was put back. */
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
    ends.before = ends;
    ends.after = ends;
    sortedMs = NONE_SORTED;
    waitingBytes = 0;
    waitingEvents = 0;
    started = 0;
    written();
  }
}

package io.weir.internal.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The folds of a partition: one for each key and type. A fold is emitted at the first record whose
 * log time is at or past its last event's + quiet, or its first event's + max hold, and before an
 * event that would exceed its limits. If all folds exceed their memory limit, due folds are
 * emitted, then the oldest of the largest gateway if it has more than an eighth, then the oldest of
 * all. Log time is the sum of the gaps between records' append times, so that a clock that goes
 * back cannot delay a fold. The cost of an event is proportional to its fields, that of finding due
 * folds to their number. Not thread-safe.
 */
public final class Folds {
  /** Receives finished folds. */
  @FunctionalInterface
  public interface Sink {
    /** Emits a fold; the receiver must not keep it. */
    void emit(Fold fold, FoldReason reason);
  }

  private final FoldSpec spec;
  private final KeyTable<Fold> byName = new KeyTable<>();

  /** The folds with the oldest and the newest last event. */
  private Fold quietest;

  private Fold latest;

  /** The folds with the oldest and the newest first event. */
  private Fold oldest;

  private Fold youngest;

  /**
   * Keys and types whose folds ended as quiet within the last quiet period; only for a metric, not
   * part of the state.
   */
  private final KeyTable<Rested> rested = new KeyTable<>();

  private final ArrayDeque<Rested> restedInOrder = new ArrayDeque<>();
  private long reopened;

  /** Maximum number of such keys; reopened keys beyond it are not counted. */
  private static final int MOST_RESTED = 100_000;

  private byte[] sought = new byte[64];
  private long bytes;
  private final FoldWriters writers;

  private static final class Rested extends KeyTable.Entry {
    private final long untilMs;

    Rested(byte[] name, long untilMs) {
      super(name);
      this.untilMs = untilMs;
    }
  }

  private final DirtyEntries<Fold> touched = new DirtyEntries<>();

  private final List<Fold> ended = new ArrayList<>();

  public Folds(FoldSpec spec) {
    this.spec = spec;
    this.writers = new FoldWriters(spec.maxBytes());
  }

  /**
   * Adds an event of a batch to the fold of its key and type; first emits the fold if it is due or
   * full. Afterwards emits folds until the memory limit is kept.
   *
   * @param offset of the batch
   * @param logMs log time of the batch, never less than before
   */
  public void add(EventColumns batch, int event, long offset, long logMs, Sink sink) {
    Fold fold = find(batch, event);
    if (fold != null) {
      FoldReason due = due(fold, logMs);
      if (due == null && !fold.hasRoomFor(batch, event, spec.maxFields())) {
        due = FoldReason.LIMIT;
      }
      if (due != null) {
        end(fold, due, sink);
        fold = null;
      }
    }
    long before = 0;
    if (fold == null) {
      byte[] name = new byte[Fold.nameLength(batch, event)];
      Fold.writeName(batch, event, name);
      fold = new Fold(name, batch.writerId(), offset, event, logMs);
      countReopened(fold, logMs);
      byName.add(fold);
      append(fold);
    } else {
      unlinkByLast(fold);
      before = fold.memoryBytes();
    }
    fold.add(batch, event, offset, logMs);
    grow(fold, fold.memoryBytes() - before);
    linkByLast(fold);
    touched.add(fold);
    makeRoom(logMs, sink);
  }

  private void grow(Fold fold, long more) {
    bytes += more;
    writers.grow(fold, more);
  }

  /** Keys often recur in the same order, which avoids hashing. */
  private Fold find(EventColumns batch, int event) {
    if (latest != null) {
      if (latest.isOf(batch, event)) {
        return latest;
      }
      Fold next = latest.follower;
      if (next != null && next.isOf(batch, event)) {
        return next;
      }
    }
    int length = Fold.nameLength(batch, event);
    if (sought.length < length) {
      sought = new byte[2 * length];
    }
    return byName.get(sought, 0, Fold.writeName(batch, event, sought));
  }

  private void makeRoom(long logMs, Sink sink) {
    while (bytes > spec.maxBytes()) {
      Fold next = firstToEnd(logMs);
      FoldReason reason = due(next, logMs);
      end(next, reason == null ? FoldReason.LIMIT : reason, sink);
    }
  }

  private Fold firstToEnd(long logMs) {
    if (due(quietest, logMs) != null) {
      return quietest;
    }
    Fold ofLargest = due(oldest, logMs) == null ? writers.oldestAboveShare() : null;
    return ofLargest == null ? oldest : ofLargest;
  }

  private void countReopened(Fold fold, long logMs) {
    while (!restedInOrder.isEmpty() && restedInOrder.peekFirst().untilMs <= logMs) {
      forgetOldestRested();
    }
    Rested before = rested.get(fold.key, 0, fold.key.length, fold.hash);
    if (before != null) {
      rested.remove(before);
      reopened++;
    }
  }

  private void forgetOldestRested() {
    Rested oldestRested = restedInOrder.removeFirst();
    if (rested.get(oldestRested.key, 0, oldestRested.key.length, oldestRested.hash)
        == oldestRested) {
      rested.remove(oldestRested);
    }
  }

  private void append(Fold fold) {
    fold.older = youngest;
    fold.younger = null;
    if (youngest == null) {
      oldest = fold;
    } else {
      youngest.younger = fold;
    }
    youngest = fold;
    writers.append(fold);
  }

  private void linkByLast(Fold fold) {
    if (latest != null && latest.follower != fold) {
      dropFollowing(fold.follows);
      dropFollowing(latest);
      latest.follower = fold;
      fold.follows = latest;
    }
    fold.quieter = latest;
    fold.later = null;
    if (latest == null) {
      quietest = fold;
    } else {
      latest.later = fold;
    }
    latest = fold;
  }

  /** Removes references to an ended fold. */
  private static void dropFollowing(Fold fold) {
    if (fold != null && fold.follower != null) {
      fold.follower.follows = null;
      fold.follower = null;
    }
  }

  private void unlinkByLast(Fold fold) {
    if (fold.quieter == null) {
      quietest = fold.later;
    } else {
      fold.quieter.later = fold.later;
    }
    if (fold.later == null) {
      latest = fold.quieter;
    } else {
      fold.later.quieter = fold.quieter;
    }
  }

  private void unlinkByFirst(Fold fold) {
    if (fold.older == null) {
      oldest = fold.younger;
    } else {
      fold.older.younger = fold.younger;
    }
    if (fold.younger == null) {
      youngest = fold.older;
    } else {
      fold.younger.older = fold.older;
    }
  }

  /** Why a fold is due, by the earlier deadline; null if it is not. */
  private FoldReason due(Fold fold, long logMs) {
    long quietMs = fold.lastLogMs() + spec.quietMs();
    long heldMs = fold.firstLogMs() + spec.maxHoldMs();
    if (logMs < Math.min(quietMs, heldMs)) {
      return null;
    }
    return quietMs <= heldMs ? FoldReason.QUIET : FoldReason.MAX_HOLD;
  }

  private void end(Fold fold, FoldReason reason, Sink sink) {
    byName.remove(fold);
    unlinkByLast(fold);
    unlinkByFirst(fold);
    dropFollowing(fold.follows);
    dropFollowing(fold);
    touched.remove(fold);
    bytes -= fold.memoryBytes();
    writers.remove(fold, fold.memoryBytes());
    if (fold.isWritten()) {
      ended.add(fold);
    }
    sink.emit(fold, reason);
    if (reason == FoldReason.QUIET) {
      rest(fold);
    }
  }

  /** Called once per key until it is reopened or forgotten. */
  private void rest(Fold fold) {
    Rested entry = new Rested(fold.key, fold.lastLogMs() + 2 * spec.quietMs());
    Rested before = rested.get(entry.key, 0, entry.key.length, entry.hash);
    if (before != null) {
      rested.remove(before);
    }
    rested.add(entry);
    restedInOrder.addLast(entry);
    if (restedInOrder.size() > MOST_RESTED) {
      forgetOldestRested();
    }
  }

  /**
   * Emits due folds.
   *
   * @param logMs log time of the current record
   * @param most maximum number of folds
   * @return whether more is due
   */
  public boolean endDue(long logMs, int most, Sink sink) {
    int left = most;
    while (quietest != null && due(quietest, logMs) != null) {
      if (left-- == 0) {
        return true;
      }
      end(quietest, due(quietest, logMs), sink);
    }
    while (oldest != null && due(oldest, logMs) != null) {
      if (left-- == 0) {
        return true;
      }
      end(oldest, due(oldest, logMs), sink);
    }
    return false;
  }

  /** The log time at which the first fold is due; Long.MAX_VALUE for none. */
  public long nextDueMs() {
    return oldest == null
        ? Long.MAX_VALUE
        : Math.min(quietest.lastLogMs() + spec.quietMs(), oldest.firstLogMs() + spec.maxHoldMs());
  }

  /**
   * Number of events, since the start, within one quiet period after their fold was emitted as
   * quiet.
   */
  public long reopened() {
    return reopened;
  }

  /** Number of folds. */
  public int size() {
    return byName.size();
  }

  /** Approximate memory of all folds: see {@link Fold#memoryBytes}. */
  public long bytes() {
    return bytes;
  }

  /** Ended folds whose entries must be deleted before anything is written. */
  public List<Fold> ended() {
    return ended;
  }

  /** Visits the folds to write. */
  public void forEachTouched(Consumer<Fold> action) {
    touched.forEach(action);
  }

  /** All changes were written. */
  public void written() {
    touched.forEach(Fold::written);
    touched.clear();
    ended.clear();
  }

  /** Restores folds, in any order. */
  public void restore(List<Fold> folds) {
    folds.sort(
        Comparator.comparingLong(Fold::firstLogMs)
            .thenComparingLong(Fold::offset)
            .thenComparingInt(Fold::index));
    for (Fold fold : folds) {
      byName.add(fold);
      append(fold);
      grow(fold, fold.memoryBytes());
      fold.written();
    }
    folds.sort(Comparator.comparingLong(Fold::lastLogMs));
    folds.forEach(this::linkByLast);
  }

  /** Visits all folds. */
  public void forEach(Consumer<Fold> action) {
    byName.forEach(action);
  }

  public void clear() {
    byName.clear();
    writers.clear();
    bytes = 0;
    quietest = null;
    latest = null;
    oldest = null;
    youngest = null;
    touched.clear();
    ended.clear();
    rested.clear();
    restedInOrder.clear();
    reopened = 0;
  }
}

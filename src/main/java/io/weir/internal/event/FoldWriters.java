package io.weir.internal.event;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The memory of folds per writer: a writer above its share cannot evict the folds of others. All
 * costs are constant, except that choosing a writer to evict checks at most {@value
 * TimerLimits#SHARES} writers. Not thread-safe.
 */
final class FoldWriters {
  /** The folds of a gateway, in the order in which they began. */
  static final class Writer {
    private final long id;
    private Fold oldest;
    private Fold youngest;
    private long bytes;

    private Writer(long id) {
      this.id = id;
    }
  }

  private final long shareBytes;
  private final Map<Long, Writer> writers = new HashMap<>();

  /** The writers above their share: fewer than the number of shares while the limit is kept. */
  private final Set<Writer> above = new HashSet<>();

  FoldWriters(long budgetBytes) {
    this.shareBytes = budgetBytes / TimerLimits.SHARES;
  }

  /** Adds the newest fold; it counts once it {@link #grow grows}. */
  void append(Fold fold) {
    Writer writer = writers.computeIfAbsent(fold.writerId(), Writer::new);
    fold.writer = writer;
    fold.olderOfWriter = writer.youngest;
    fold.youngerOfWriter = null;
    if (writer.youngest == null) {
      writer.oldest = fold;
    } else {
      writer.youngest.youngerOfWriter = fold;
    }
    writer.youngest = fold;
  }

  /** Changes the memory of a fold. */
  void grow(Fold fold, long bytes) {
    Writer writer = fold.writer;
    boolean wasAbove = writer.bytes > shareBytes;
    writer.bytes += bytes;
    boolean isAbove = writer.bytes > shareBytes;
    if (isAbove && !wasAbove) {
      above.add(writer);
    } else if (wasAbove && !isAbove) {
      above.remove(writer);
    }
  }

  /** A fold has ended. */
  void remove(Fold fold, long bytes) {
    grow(fold, -bytes);
    Writer writer = fold.writer;
    if (fold.olderOfWriter == null) {
      writer.oldest = fold.youngerOfWriter;
    } else {
      fold.olderOfWriter.youngerOfWriter = fold.youngerOfWriter;
    }
    if (fold.youngerOfWriter == null) {
      writer.youngest = fold.olderOfWriter;
    } else {
      fold.youngerOfWriter.olderOfWriter = fold.olderOfWriter;
    }
    if (writer.oldest == null) {
      writers.remove(writer.id);
    }
  }

  /** The oldest fold of the largest writer above its share; null if there is none. */
  Fold oldestAboveShare() {
    Writer most = null;
    for (Writer writer : above) {
      if (most == null
          || writer.bytes > most.bytes
          || writer.bytes == most.bytes && writer.oldest.beganBefore(most.oldest)) {
        most = writer;
      }
    }
    return most == null ? null : most.oldest;
  }

  void clear() {
    writers.clear();
    above.clear();
  }
}

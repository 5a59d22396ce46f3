package io.weir.event;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who takes how much of the room for folds: nobody's folds give way to those of a writer above its
 * share. All costs are constant, but to find who pays costs at most {@value TimerLimits#SHARES}
 * looks. Not safe for several threads.
 */
final class FoldWriters {
  /** What a gateway has; its folds are in the order in which they began. */
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

  /** Those above their share: fewer than there are shares, once there is room. */
  private final Set<Writer> above = new HashSet<>();

  FoldWriters(long budgetBytes) {
    this.shareBytes = budgetBytes / TimerLimits.SHARES;
  }

  /** A fold that began last of all; it counts once it {@link #grow grows}. */
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

  /** A fold takes so much more, or less. */
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

  /** The oldest of the writer that has most and more than its share; null where none has. */
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
